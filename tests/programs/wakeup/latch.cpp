/*
 * A latch by hand: the last thread counts down without the lock.
 * order: creation
 */
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

struct Latch {
	std::mutex m;
	std::condition_variable c;
	std::atomic<int> left{2};

	void count_down()
	{
#ifdef FIXED
		std::lock_guard<std::mutex> l(m);
#endif
		if (--left == 0)
			c.notify_all(); /* @signal */
	}
	void wait()
	{
		std::unique_lock<std::mutex> l(m);
		c.wait(l, [this] { return left == 0; }); /* @wait */
	}
};

int main()
{
	Latch latch;
	std::thread w([&] { latch.wait(); });
	std::thread a([&] { latch.count_down(); });
	std::thread b([&] { latch.count_down(); });

	w.join();
	a.join();
	b.join();
	return 0;
}
