// set_value_at_thread_exit and notify_all_at_thread_exit.
#include <cassert>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable c;
static bool done;
static int plain;

int main()
{
	std::promise<int> p;
	auto f = p.get_future();
	std::thread t([&] {
		std::unique_lock l(m);
		p.set_value_at_thread_exit(4);
		plain = 6;
		done = true;
		std::notify_all_at_thread_exit(c, std::move(l));
	});
	{
		std::unique_lock l(m);
		c.wait(l, [] { return done; });
		assert(plain == 6);
	}
	assert(f.get() == 4);
	t.join();
}
