// Waits of C++ with long limits that end early.
#include "truth.h"
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>
using namespace std::chrono_literals;
static std::timed_mutex tm;
static std::shared_timed_mutex sm;
static std::binary_semaphore sem(0);
static std::mutex m;
static std::condition_variable c;
static bool ready;
int main()
{
	std::promise<int> p;
	auto f = p.get_future();
	std::thread t([&] {
		std::this_thread::sleep_for(1ms);
		{
			std::lock_guard g(tm);
			std::unique_lock u(sm);
			sem.release();
			std::this_thread::sleep_for(1ms);
		}
		{
			std::lock_guard g(m);
			ready = true;
		}
		c.notify_one();
		p.set_value(3);
	});
	assert(sem.try_acquire_for(30s));
	assert(tm.try_lock_for(30s));
	tm.unlock();
	assert(sm.try_lock_shared_for(30s));
	sm.unlock_shared();
	{
		std::unique_lock l(m);
		assert(c.wait_for(l, 30s, [] { return ready; }));
	}
	assert(f.wait_for(30s) == std::future_status::ready && f.get() == 3);
	t.join();
}
