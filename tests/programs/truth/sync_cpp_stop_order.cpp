// jthreads with stop callbacks: the callback wakes the condition under its mutex, so no wake-up is
// lost.
#include "truth.h"
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>
static std::mutex m;
static std::condition_variable c;
static int stops;
int main()
{
	{
		auto body = [](std::stop_token s) {
			std::stop_callback cb(s, [] {
				std::lock_guard<std::mutex> g(m);
				c.notify_all();
			});
			std::unique_lock<std::mutex> l(m);
			c.wait(l, [&] { return s.stop_requested(); });
			stops++;
			l.unlock();
		};
		std::jthread a(body), b(body);
	}
	assert(stops == 2);
}
