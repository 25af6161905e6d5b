/*
 * Double-checked publication with atomics and a lock: the program prints the thread that made the
 * table, and the number of threads that came late.
 *
 * options: --order creation
 */
#include <atomic>
#include <cassert>
#include <cstdio>
#include <mutex>
#include <thread>

struct table {
	int v[4];
	int maker;
};

static std::atomic<table *> published;
static std::mutex lock;
static std::atomic<int> late, fast;

static table *get(int me)
{
	table *t = published.load(std::memory_order_acquire);
	if (t) {
		fast++;
		return t;
	}
	std::lock_guard<std::mutex> g(lock);
	t = published.load(std::memory_order_relaxed);
	if (t) {
		late++;
		return t;
	}
	t = new table{{1, 2, 3, 4}, me};
	published.store(t, std::memory_order_release);
	return t;
}

int main()
{
	std::thread t[3];
	for (int i = 0; i < 3; i++)
		t[i] = std::thread([i] {
			table *x = get(i), *y = get(i);
			assert(x == y && x->v[3] == 4);
		});
	for (auto &x : t)
		x.join();
	std::printf("made by %d, %d late, %d fast\n", published.load()->maker, late.load(), fast.load());
	delete published.load();
	return late + fast != 5;
}
