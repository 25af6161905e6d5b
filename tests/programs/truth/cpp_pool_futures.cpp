// A pool runs tasks whose results are futures; it prints the number of tasks of each worker and
// the results that were ready.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex lock;
static std::condition_variable more;
static std::deque<std::packaged_task<int()>> tasks;
static bool closed;

static void run(int *did)
{
	for (;;) {
		std::unique_lock<std::mutex> l(lock);
		more.wait(l, [] { return closed || !tasks.empty(); });
		if (tasks.empty())
			return;
		auto t = std::move(tasks.front());
		tasks.pop_front();
		l.unlock();
		t();
		++*did;
	}
}

int main()
{
	int did[2] = {}, sum = 0, ready = 0;
	std::vector<std::future<int>> f;
	std::thread a(run, &did[0]), b(run, &did[1]);
	for (int i = 0; i < 5; i++) {
		std::packaged_task<int()> t([i] { return i * i; });
		f.push_back(t.get_future());
		std::lock_guard<std::mutex> g(lock);
		tasks.push_back(std::move(t));
		more.notify_one();
	}
	for (auto &x : f)
		ready += x.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
	{
		std::lock_guard<std::mutex> g(lock);
		closed = true;
		more.notify_all();
	}
	for (auto &x : f)
		sum += x.get();
	a.join();
	b.join();
	std::printf("%d and %d tasks, %d were ready\n", did[0], did[1], ready);
	return sum != 30 || did[0] + did[1] != 5;
}
