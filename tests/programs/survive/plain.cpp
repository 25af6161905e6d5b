// The same in C++: threads, a lock, a condition variable, a future.
#include <condition_variable>
#include <cstdio>
#include <future>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable changed;
static long shared_count;

static void worker()
{
	for (int i = 0; i < 1000; i++) {
		std::lock_guard<std::mutex> hold(lock);
		shared_count++;
		changed.notify_all();
	}
}

int main()
{
	std::thread t(worker);
	auto f = std::async(std::launch::async, [] {
		std::unique_lock<std::mutex> hold(lock);
		changed.wait(hold, [] { return shared_count >= 2000; });
		return shared_count;
	});

	worker();
	t.join();
	std::printf("%ld\n", f.get());
	return 0;
}
