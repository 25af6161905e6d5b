/*
 * C++: a pipeline of std::thread, std::mutex and std::condition_variable (waits with a predicate,
 * one that runs out of time). The sink is attached after the source has been let go.
 *
 * expect: data-race sink write@attach read@emit
 * harm: crash pipeline.cpp:@emit
 * order: 0,2,1
 */
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

struct Sink {
	virtual ~Sink() = default;
	virtual void put(int n) = 0;
};
struct Sum : Sink {
	int sum = 0;
	void put(int n) override { sum += n; }
};

static std::mutex m;
static std::condition_variable changed;
static std::vector<int> queue;
static bool go;
static Sink *sink;

static void source()
{
	std::unique_lock<std::mutex> l(m);
	changed.wait_for(l, std::chrono::milliseconds(1), [] { return false; });
	for (int i = 1; i <= 4; i++)
		queue.push_back(i);
	changed.wait(l, [] { return go; });
	l.unlock();
	l.lock();
	for (int n : queue)
		sink->put(n); /* @emit */
}

static void attach(Sink *s)
{
	{
		std::lock_guard<std::mutex> l(m);
		go = true;
#ifdef FIXED
		sink = s;
#endif
		changed.notify_all();
	}
#ifndef FIXED
	sink = s; /* @attach */
#endif
}

int main()
{
	auto sum = std::make_unique<Sum>();
	std::thread a(source), b(attach, sum.get());

	a.join();
	b.join();
	std::printf("%d\n", sum->sum);
	return 0;
}
