// A thread tries a latch under a lock that the counting threads need, and waits for it without the
// lock.
#include "truth.h"
#include <latch>
#include <mutex>
#include <thread>
static std::mutex m;
static std::latch l(2);
static int sum;
int main()
{
	auto work = [] {
		{
			std::lock_guard<std::mutex> g(m);
			sum += 4;
		}
		l.count_down();
	};
	std::thread a(work), b(work);
	std::thread c([] {
		bool early;
		{
			std::lock_guard<std::mutex> g(m);
			early = l.try_wait();
			if (early)
				assert(sum == 8);
		}
		if (!early)
			l.wait();
		std::lock_guard<std::mutex> g(m);
		assert(sum == 8);
	});
	a.join();
	b.join();
	c.join();
}
