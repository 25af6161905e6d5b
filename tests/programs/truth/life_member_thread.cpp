// Objects that own a thread: the destructor stops and joins it before the members that it uses are
// destroyed.
#include "truth.h"
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
class worker
{
	std::mutex m;
	std::condition_variable c;
	std::deque<std::function<void()>> q;
	bool stop = false;
	std::thread t{[this] { run(); }};
	void run()
	{
		std::unique_lock l(m);
		for (;;) {
			c.wait(l, [this] { return stop || !q.empty(); });
			if (q.empty())
				return;
			auto f = std::move(q.front());
			q.pop_front();
			l.unlock();
			f();
			l.lock();
		}
	}

public:
	void add(std::function<void()> f)
	{
		std::lock_guard g(m);
		q.push_back(std::move(f));
		c.notify_one();
	}
	~worker()
	{
		{
			std::lock_guard g(m);
			stop = true;
		}
		c.notify_one();
		t.join();
	}
};
int main()
{
	int a = 0, b = 0;
	for (int i = 0; i < 2; i++) {
		auto w = std::make_unique<worker>();
		worker v;
		for (int k = 0; k < 2; k++) {
			w->add([&] { a++; });
			v.add([&] { b += 2; });
		}
	}
	assert(a == 4 && b == 8);
}
