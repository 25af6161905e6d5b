/*
 * A pool with work stealing runs packaged tasks; results come back through futures in the order of submission. Each
 * worker has a deque of its own under a mutex, counts its thefts and reports them in a thread_local's destructor.
 */
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static std::atomic<int> thefts, reports;
struct tally {
	int stolen = 0;
	~tally()
	{
		thefts += stolen;
		reports++;
	}
};
static thread_local tally mine;

class pool
{
	struct queue {
		std::mutex m;
		std::deque<std::function<void()>> q;
	};
	std::vector<std::unique_ptr<queue>> queues;
	std::vector<std::thread> threads;
	std::mutex m;
	std::condition_variable more;
	int pending = 0;
	bool stop = false;
	unsigned next = 0;

	bool take(unsigned me, std::function<void()> &f)
	{
		for (unsigned k = 0; k < queues.size(); k++) {
			queue &q = *queues[(me + k) % queues.size()];
			std::lock_guard<std::mutex> g(q.m);
			if (q.q.empty())
				continue;
			if (k) {
				f = std::move(q.q.back());
				q.q.pop_back();
				mine.stolen++;
			} else {
				f = std::move(q.q.front());
				q.q.pop_front();
			}
			return true;
		}
		return false;
	}

	void run(unsigned me)
	{
		for (;;) {
			{
				std::unique_lock<std::mutex> l(m);
				more.wait(l, [this] { return pending || stop; });
				if (!pending)
					return;
				pending--;
			}
			std::function<void()> f;
			while (!take(me, f))
				std::this_thread::yield();
			f();
			mine.stolen += 0;
		}
	}

      public:
	explicit pool(unsigned n)
	{
		for (unsigned i = 0; i < n; i++)
			queues.push_back(std::make_unique<queue>());
		for (unsigned i = 0; i < n; i++)
			threads.emplace_back([this, i] { run(i); });
	}
	template <class F> auto submit(F f)
	{
		auto t = std::make_shared<std::packaged_task<decltype(f())()>>(std::move(f));
		auto r = t->get_future();
		{
			queue &q = *queues[next++ % queues.size()];
			std::lock_guard<std::mutex> g(q.m);
			q.q.emplace_back([t] { (*t)(); });
		}
		std::lock_guard<std::mutex> g(m);
		pending++;
		more.notify_one();
		return r;
	}
	~pool()
	{
		{
			std::lock_guard<std::mutex> g(m);
			stop = true;
		}
		more.notify_all();
		for (auto &t : threads)
			t.join();
	}
};

int main()
{
	std::string text;
	{
		pool p(3);
		std::vector<std::future<std::string>> r;
		for (int i = 0; i < 9; i++)
			r.push_back(p.submit([i] {
				if (i == 5)
					throw std::runtime_error("five");
				return std::to_string(i * i) + " ";
			}));
		for (auto &f : r)
			try {
				text += f.get();
			} catch (const std::exception &e) {
				text += e.what() + std::string(" ");
			}
	}
	assert(thefts >= 0 && reports <= 3);
	printf("%s\n", text.c_str());
	return text != "0 1 4 9 16 five 36 49 64 ";
}
