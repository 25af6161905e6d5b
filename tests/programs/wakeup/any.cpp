/*
 * A condition_variable_any with a shared_mutex; the flag is set without the lock.
 * order: creation
 */
#include <atomic>
#include <condition_variable>
#include <shared_mutex>
#include <thread>

static std::shared_mutex m;
static std::condition_variable_any c;
static std::atomic<bool> ready;

int main()
{
	std::thread a([] {
		std::shared_lock<std::shared_mutex> l(m);
		while (!ready)
			c.wait(l); /* @wait */
	});
	std::thread b([] {
#ifdef FIXED
		std::unique_lock<std::shared_mutex> l(m);
#endif
		ready = true;
		c.notify_all(); /* @signal */
	});

	a.join();
	b.join();
	return 0;
}
