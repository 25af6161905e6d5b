// wait_for with a predicate: the answer arrives long before the deadline.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable c;
static bool ready;

int main()
{
	std::thread t([] {
		std::lock_guard g(m);
		ready = true;
		c.notify_one();
	});
	std::unique_lock l(m);
	assert(c.wait_for(l, std::chrono::seconds(30), [] { return ready; }));
	l.unlock();
	t.join();
}
