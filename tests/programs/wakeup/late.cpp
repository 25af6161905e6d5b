/*
 * The flag is set without the lock. In the recorded run, the thread that would wait comes late.
 * order: 0,2,1
 */
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable c;
static std::atomic<bool> ready;

int main()
{
	std::thread a([] {
		std::unique_lock<std::mutex> l(m);
		while (!ready)
			c.wait(l); /* @wait */
	});
	std::thread b([] {
#ifdef FIXED
		std::lock_guard<std::mutex> l(m);
#endif
		ready = true;
		c.notify_one(); /* @signal */
	});

	a.join();
	b.join();
	return 0;
}
