/*
 * A thread polls a shared_mutex with a std::mutex held.
 * order: creation
 */
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::mutex a;
static std::shared_mutex b;
static int x;

static void one()
{
	std::lock_guard<std::mutex> first(a);

	while (!b.try_lock())
		std::this_thread::yield();
	x++;
	b.unlock();
}

static void two()
{
#ifdef FIXED
	std::lock_guard<std::mutex> first(a);
	std::unique_lock<std::shared_mutex> second(b);
#else
	std::unique_lock<std::shared_mutex> second(b);
	std::lock_guard<std::mutex> first(a);
#endif
	x++;
}

int main()
{
	std::thread t(one), u(two);

	t.join();
	u.join();
	return x != 2;
}
