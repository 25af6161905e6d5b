/*
 * The initialiser of a local static takes a mutex whose holder needs the static.
 * order: creation
 */
#include <mutex>
#include <thread>

static std::mutex m;
static int x;

static int start()
{
	std::lock_guard<std::mutex> k(m);

	return ++x;
}

static int &table()
{
	static int t = start();

	return t;
}

static void one()
{
	table();
}

static void two()
{
#ifdef FIXED
	table();
#endif
	std::lock_guard<std::mutex> k(m);

	x += table();
}

int main()
{
	std::thread t(one), u(two);

	t.join();
	u.join();
	return 0;
}
