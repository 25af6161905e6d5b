// std::condition_variable_any with a shared lock.
#include <cassert>
#include <condition_variable>
#include <shared_mutex>
#include <thread>

static std::shared_mutex m;
static std::condition_variable_any c;
static int stage;

int main()
{
	std::thread t([] {
		std::shared_lock l(m);
		c.wait(l, [] { return stage == 1; });
		assert(stage == 1);
	});
	{
		std::unique_lock l(m);
		stage = 1;
	}
	c.notify_all();
	t.join();
}
