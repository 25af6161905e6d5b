/*
 * A result that one thread computes: the others wait without a look at it.
 * order: 0,1,2
 */
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable c;
static int result;

static int get()
{
	std::unique_lock<std::mutex> l(m);
#ifdef FIXED
	while (!result)
#endif
		c.wait(l); /* @wait */
	return result;
}

int main()
{
	int got = 0;
	std::thread a([&] { got = get(); });
	std::thread b([] {
		std::lock_guard<std::mutex> l(m);
		result = 7;
		c.notify_all(); /* @signal */
	});

	a.join();
	b.join();
	return got != 7;
}
