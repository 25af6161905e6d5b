/*
 * A shared mutex, shared, and a mutex; the writer has taken the mutex first.
 * order: creation
 */
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex s;
static std::mutex m;
static int x;

static void one()
{
	std::shared_lock<std::shared_mutex> r(s);
	std::lock_guard<std::mutex> k(m);

	x++;
}

static void two()
{
#ifdef FIXED
	std::unique_lock<std::shared_mutex> w(s);
	std::lock_guard<std::mutex> k(m);
#else
	std::lock_guard<std::mutex> k(m);
	std::unique_lock<std::shared_mutex> w(s);
#endif

	x++;
}

int main()
{
	std::thread t(one), u(two);

	t.join();
	u.join();
	return 0;
}
