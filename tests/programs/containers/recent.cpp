/*
 * Two threads move entries of a list to its front. Only libstdc++ accesses the nodes.
 * order: creation
 */
#include <list>
#include <mutex>
#include <thread>

static std::list<int> recent{1, 2, 3, 4};
static std::mutex m;

static void use(std::list<int>::const_iterator i)
{
#ifdef FIXED
	std::lock_guard<std::mutex> lock(m);
#endif
	recent.splice(recent.begin(), recent, i);
}

int main()
{
	auto second = std::next(recent.cbegin()), last = std::prev(recent.cend());
	std::thread a(use, second), b(use, last);

	a.join();
	b.join();
	return recent.front() == 1;
}
