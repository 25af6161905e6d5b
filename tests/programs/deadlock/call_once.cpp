/*
 * The function of std::call_once takes a mutex whose holder calls it.
 * order: creation
 */
#include <mutex>
#include <thread>

static std::mutex m;
static std::once_flag once;
static int x;

static void init()
{
	std::lock_guard<std::mutex> k(m);

	x = 1;
}

static void one()
{
	std::call_once(once, init);
}

static void two()
{
#ifdef FIXED
	std::call_once(once, init);
#endif
	std::lock_guard<std::mutex> k(m);

#ifndef FIXED
	std::call_once(once, init);
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
