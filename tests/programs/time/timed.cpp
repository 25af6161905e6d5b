/*
 * The timed waits of C++, each of which closes a cycle of waits that its limit opens again.
 */
#undef NDEBUG
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

static std::mutex a, count_lock;
static std::timed_mutex b;
static std::shared_timed_mutex s;
static std::condition_variable c;
static std::counting_semaphore<4> sem{0};
static bool ready;
static int n, count;

static void look()
{
	int first, second;

	count_lock.lock();
	first = count;
	count_lock.unlock();
	count_lock.lock();
	second = count;
	count_lock.unlock();
	assert(second >= first);
}

static void other()
{
	{
		std::lock_guard<std::timed_mutex> l(b);
		std::lock_guard<std::mutex> k(a);
		n++;
	}
	{
		std::lock_guard<std::shared_timed_mutex> l(s);
		std::lock_guard<std::mutex> k(a);
		n++;
	}
	{
		std::lock_guard<std::mutex> k(a);
		ready = true;
		c.notify_all();
	}
	sem.release();
	std::lock_guard<std::mutex> k(count_lock);
	count++;
}

int main()
{
	std::thread l(look), t(other);
	{
		std::unique_lock<std::mutex> k(a);

		if (b.try_lock_for(20ms))
			b.unlock();
		if (s.try_lock_shared_until(std::chrono::steady_clock::now() + 20ms))
			s.unlock_shared();
		while (!c.wait_for(k, 50ms, [] { return ready; }))
			;
	}
	while (!sem.try_acquire_for(10ms))
		;
	auto f = std::async(std::launch::async, [] {
		std::lock_guard<std::mutex> k(a);
		return n;
	});
	{
		std::lock_guard<std::mutex> k(a);
		f.wait_for(5ms);
	}
	assert(f.get() == 2);
	t.join();
	l.join();
	return 0;
}
