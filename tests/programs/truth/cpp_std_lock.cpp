// std::lock with adopt_lock and defer_lock.
#include <mutex>
#include <thread>

static std::mutex m, n;
static int x;

static void one()
{
	std::unique_lock<std::mutex> a(m, std::defer_lock), b(n, std::defer_lock);
	std::lock(a, b);
	x++;
}

static void two()
{
	std::lock(n, m);
	std::lock_guard<std::mutex> a(m, std::adopt_lock), b(n, std::adopt_lock);
	x++;
}

int main()
{
	std::thread t(one), u(two);
	t.join();
	u.join();
	return x != 2;
}
