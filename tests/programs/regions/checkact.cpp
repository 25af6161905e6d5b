// Checks in one lock region and takes in the next, through functions of the library. FIXED: one
// region.
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex m;
static std::vector<int> v{1, 2};

static void take()
{
#ifdef FIXED
	std::lock_guard<std::mutex> g(m);
	if (v.empty())
		return;
#else
	bool any;
	{
		std::lock_guard<std::mutex> g(m);
		any = !v.empty();
	}
	if (!any)
		return;
	std::lock_guard<std::mutex> g(m);
#endif
	if (v.empty())
		abort();
	v.pop_back();
}

static void drop_all()
{
	std::lock_guard<std::mutex> g(m);
	v.clear();
}

int main()
{
	std::thread a(take);
	std::thread b(drop_all);
	a.join();
	b.join();
	return 0;
}
