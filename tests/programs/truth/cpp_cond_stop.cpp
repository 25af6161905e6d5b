/*
 * A worker waits with condition_variable_any and a stop token. It prints the number of items done
 * when it stopped, and drops the others.
 *
 * options: --order creation
 */
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>
#include <stop_token>
#include <thread>

static std::mutex lock;
static std::condition_variable_any more;
static std::deque<int> items;

static void work(std::stop_token stop)
{
	int done = 0, idle = 0;
	for (;;) {
		std::unique_lock<std::mutex> l(lock);
		idle += items.empty();
		if (!more.wait(l, stop, [] { return !items.empty(); }))
			break;
		items.pop_front();
		done++;
		if (stop.stop_requested())
			break;
	}
	std::printf("%d done, %s idle\n", done, idle ? "sometimes" : "never");
}

int main()
{
	std::jthread a(work), b(work);
	for (int i = 0; i < 5; i++) {
		std::lock_guard<std::mutex> g(lock);
		items.push_back(i);
		more.notify_one();
	}
	a.request_stop();
	b.request_stop();
	a.join();
	b.join();
	std::printf("%zu dropped\n", items.size());
	return items.size() > 5;
}
