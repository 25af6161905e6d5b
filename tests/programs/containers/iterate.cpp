/*
 * A thread visits the keys of a set from which another one erases. Neither reads a node outside of
 * the functions of libstdc++ that link and visit nodes.
 * order: creation
 */
#include <mutex>
#include <set>
#include <thread>

static std::set<int> keys{1, 2, 3, 4, 5, 6, 7, 8};
static std::mutex m;
static int visited;

static void visit()
{
#ifdef FIXED
	std::lock_guard<std::mutex> lock(m);
#endif
	for (auto i = keys.begin(); i != keys.end(); ++i)
		visited++;
}

static void forget(std::set<int>::const_iterator i)
{
#ifdef FIXED
	std::lock_guard<std::mutex> lock(m);
#endif
	keys.erase(i);
}

int main()
{
	std::thread a(visit), b(forget, keys.find(3));

	a.join();
	b.join();
	return visited < 7;
}
