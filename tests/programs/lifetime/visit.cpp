/*
 * A thread walks over a list and gives up the lock while it calls a callback for an element.
 * Another thread erases the element meanwhile, and the walk continues from it.
 * The twin keeps the lock.
 *
 * order: creation
 * expect: use-after-free
 */
#include <functional>
#include <list>
#include <mutex>
#include <thread>

static std::mutex m;
static std::list<int> numbers = {1, 2, 3};
long sum;

static void for_each(const std::function<void(int)> &f)
{
	std::unique_lock<std::mutex> g(m);
	for (auto i = numbers.begin(); i != numbers.end(); ++i) {
		int v = *i;
#ifndef FIXED
		g.unlock();
#endif
		f(v);
#ifndef FIXED
		g.lock();
#endif
	}
}

static void remove(int v)
{
	std::lock_guard<std::mutex> g(m);
	numbers.remove(v);
}

int main()
{
	std::thread a([] { for_each([](int v) { sum += v; }); });
	std::thread b([] { remove(2); });
	a.join();
	b.join();
	return 0;
}
