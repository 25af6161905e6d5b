// std::jthread stops at the end of its scope; a stop callback runs at most once.
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable_any c;
static int rounds, stopped;

int main()
{
	{
		std::jthread t([](std::stop_token st) {
			std::stop_callback cb(st, [] { stopped++; });
			std::unique_lock l(m);
			while (!c.wait(l, st, [] { return rounds >= 3; }) && !st.stop_requested())
				;
			rounds++;
		});
		std::lock_guard g(m);
		rounds = 1;
		c.notify_all();
	}
	assert(rounds == 2);
	return stopped > 1; // the thread may take its callback away before the stop comes to it
}
