/* Actors with mailboxes: shared_ptr to each other, weak_ptr back, asynchronous replies, deletion when the last message
 * is handled. Any worker may run an actor, but only one at a time (a scheduled flag). */
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

struct actor;
static std::mutex run_m;
static std::condition_variable run_c;
static std::deque<std::shared_ptr<actor>> runnable;
static bool quit;
static std::atomic<int> alive, handled;
static std::atomic<long> total;

struct actor : std::enable_shared_from_this<actor> {
	std::mutex m;
	std::deque<std::function<void(actor &)>> box;
	bool scheduled = false;
	long state = 0; /* used by the worker that runs the actor */
	actor()
	{
		alive++;
	}
	~actor()
	{
		total += state;
		alive--;
	}
	void tell(std::function<void(actor &)> f)
	{
		bool first;
		{
			std::lock_guard<std::mutex> g(m);
			box.push_back(std::move(f));
			first = !scheduled;
			scheduled = true;
		}
		if (first) {
			std::lock_guard<std::mutex> g(run_m);
			runnable.push_back(shared_from_this());
			run_c.notify_one();
		}
	}
	void step()
	{
		for (;;) {
			std::function<void(actor &)> f;
			{
				std::lock_guard<std::mutex> g(m);
				if (box.empty()) {
					scheduled = false;
					return;
				}
				f = std::move(box.front());
				box.pop_front();
			}
			f(*this);
			handled++;
		}
	}
};

static void worker()
{
	for (;;) {
		std::shared_ptr<actor> a;
		{
			std::unique_lock<std::mutex> l(run_m);
			run_c.wait(l, [] { return !runnable.empty() || quit; });
			if (runnable.empty())
				return;
			a = std::move(runnable.front());
			runnable.pop_front();
		}
		a->step();
	}
}

int main()
{
	std::vector<std::thread> t;
	std::mutex done_m;
	std::condition_variable done_c;
	int replies = 0;

	for (int i = 0; i < 2; i++)
		t.emplace_back(worker);
	{
		auto sum = std::make_shared<actor>();
		for (int i = 1; i <= 3; i++) {
			auto a = std::make_shared<actor>();
			std::weak_ptr<actor> back = sum;
			for (int k = 0; k < 2; k++)
				a->tell([&, i, back](actor &me) {
					me.state += i;
					if (auto s = back.lock())
						s->tell([&, i](actor &you) {
							you.state += 100 * i;
							std::lock_guard<std::mutex> g(done_m);
							replies++;
							done_c.notify_one();
						});
				});
		}
		std::unique_lock<std::mutex> l(done_m);
		done_c.wait(l, [&] { return replies == 6; });
	}
	{
		std::lock_guard<std::mutex> g(run_m);
		quit = true;
		run_c.notify_all();
	}
	for (auto &x : t)
		x.join();
	printf("handled %d, alive %d, total %ld\n", handled.load(), alive.load(), total.load());
	return alive || total != 12 + 1200;
}
