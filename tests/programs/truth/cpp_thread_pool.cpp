// A pool of two workers that runs closures and returns futures.
#include <cassert>
#include <condition_variable>
#include <functional>
#include <future>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

class pool
{
	std::mutex m;
	std::condition_variable c;
	std::queue<std::function<void()>> jobs;
	bool ending = false;
	std::vector<std::thread> threads;

	void work()
	{
		for (;;) {
			std::function<void()> job;
			{
				std::unique_lock l(m);
				c.wait(l, [&] { return ending || !jobs.empty(); });
				if (jobs.empty())
					return;
				job = std::move(jobs.front());
				jobs.pop();
			}
			job();
		}
	}

      public:
	pool()
	{
		for (int i = 0; i < 2; i++)
			threads.emplace_back([this] { work(); });
	}
	std::future<int> submit(std::function<int()> f)
	{
		auto task = std::make_shared<std::packaged_task<int()>>(std::move(f));
		auto r = task->get_future();
		{
			std::lock_guard g(m);
			jobs.emplace([task] { (*task)(); });
		}
		c.notify_one();
		return r;
	}
	~pool()
	{
		{
			std::lock_guard g(m);
			ending = true;
		}
		c.notify_all();
		for (auto &t : threads)
			t.join();
	}
};

int main()
{
	pool p;
	auto a = p.submit([] { return 1; }), b = p.submit([] { return 2; });
	return a.get() + b.get() != 3;
}
