// Objects with virtual functions handed over through a queue and destroyed by the receiver.
#include <cassert>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

struct job {
	virtual ~job() = default;
	virtual int run() = 0;
};
struct twice : job {
	int n;
	explicit twice(int v) : n(v)
	{
	}
	int run() override
	{
		return 2 * n;
	}
};

static std::mutex m;
static std::condition_variable c;
static std::deque<std::unique_ptr<job>> queue;

int main()
{
	int sum = 0;
	std::thread t([&] {
		for (;;) {
			std::unique_lock l(m);
			c.wait(l, [] { return !queue.empty(); });
			auto j = std::move(queue.front());
			queue.pop_front();
			l.unlock();
			if (!j)
				return;
			sum += j->run();
		}
	});
	for (int i = 0; i < 4; i++) {
		std::lock_guard g(m);
		queue.push_back(i < 3 ? std::make_unique<twice>(i) : nullptr);
		c.notify_one();
	}
	t.join();
	return sum != 6;
}
