/*
 * Two mutexes of C++ in opposite orders; std::scoped_lock takes both without a deadlock.
 * order: creation
 */
#include <mutex>
#include <thread>

static std::mutex a, b;
static int x;

static void use(std::mutex &first, std::mutex &second)
{
#ifdef FIXED
	std::scoped_lock both(first, second);
#else
	std::lock_guard<std::mutex> one(first);
	std::lock_guard<std::mutex> two(second);
#endif
	x++;
}

static void one()
{
	use(a, b);
}

static void two()
{
	use(b, a);
}

int main()
{
	std::thread t(one), u(two);

	t.join();
	u.join();
	return 0;
}
