/*
 * A thread waits for a latch with the lock that another needs before it counts down.
 * order: 0,2,1
 */
#include <latch>
#include <mutex>
#include <thread>

static std::mutex m;
static int x;

int main()
{
	std::latch l(1);
	std::thread a([&] {
#ifdef FIXED
		l.wait();
		std::lock_guard g(m);
#else
		std::lock_guard g(m);
		l.wait(); // @wait
#endif
		x++;
	});
	std::thread b([&] {
		{
			std::lock_guard g(m);
			x++;
		}
		l.count_down();
	});

	a.join();
	b.join();
}
