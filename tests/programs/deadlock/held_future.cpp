/*
 * A thread waits for a future with the lock that another needs before it sets the value.
 * order: 0,2,1
 */
#include <future>
#include <mutex>
#include <thread>

static std::mutex m;
static int x;

int main()
{
	std::promise<int> p;
	std::future<int> f = p.get_future();
	std::thread a([&] {
#ifdef FIXED
		int v = f.get();
		std::lock_guard g(m);
#else
		std::lock_guard g(m);
		int v = f.get(); // @wait
#endif
		x += v;
	});
	std::thread b([&] {
		{
			std::lock_guard g(m);
			x++;
		}
		p.set_value(1);
	});

	a.join();
	b.join();
}
