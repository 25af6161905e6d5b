// A thread asks a future under a lock that the promise's thread needs first; it only asks, and
// gives the lock back.
#include "truth.h"
#include <chrono>
#include <future>
#include <mutex>
#include <thread>
static std::mutex m;
static int prepared;
int main()
{
	std::promise<int> p;
	std::future<int> f = p.get_future();
	std::thread a([&] {
		{
			std::lock_guard<std::mutex> g(m);
			prepared = 2;
		}
		p.set_value(20);
	});
	std::thread b([&] {
		for (;;) {
			std::unique_lock<std::mutex> l(m);
			if (f.wait_for(std::chrono::milliseconds(1)) == std::future_status::ready) {
				assert(f.get() == 10 * prepared);
				return;
			}
			l.unlock();
			std::this_thread::yield();
		}
	});
	a.join();
	b.join();
}
