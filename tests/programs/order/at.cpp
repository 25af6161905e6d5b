/*
 * A thread reads the first element of a vector that another thread fills.
 * The twin fills it before.
 *
 * order: creation
 */
#include <mutex>
#include <thread>
#include <vector>

static std::mutex m;
std::vector<int> v;

static void fill()
{
	std::lock_guard<std::mutex> g(m);
	v.push_back(1);
}

int main()
{
#ifdef FIXED
	fill();
	std::thread a([] {});
#else
	std::thread a(fill);
#endif
	std::thread b([] {
		std::lock_guard<std::mutex> g(m);
		v.at(0)++; /* @fails */
	});

	a.join();
	b.join();
}
