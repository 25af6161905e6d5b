/*
 * The owner of an object is destroyed before the thread that works for it has ended.
 * order: 0+,1,0
 * expect: use-after-free
 */
#include <atomic>
#include <memory>
#include <thread>

class service {
public:
	void start()
	{
		thread = std::thread([this] { steps++; });
	}
	~service()
	{
#ifdef FIXED
		thread.join();
#else
		thread.detach();
#endif
	}
	std::thread thread;
	std::atomic<int> steps{0};
};

int main()
{
	auto s = std::make_unique<service>();
	s->start();
	s.reset();
	pthread_exit(nullptr);
}
