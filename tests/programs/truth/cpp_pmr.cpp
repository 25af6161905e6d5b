// A pool resource per thread, and one synchronised pool for both.
#include <cassert>
#include <memory_resource>
#include <string>
#include <thread>
#include <vector>

static std::pmr::synchronized_pool_resource common;

static void work(int n)
{
	std::pmr::monotonic_buffer_resource own;
	std::pmr::vector<int> v(&own);
	std::pmr::vector<std::pmr::string> s(&common);

	for (int i = 0; i < n; i++) {
		v.push_back(i);
		s.emplace_back("a string that is too long for the small buffer");
	}
	assert(v.back() == n - 1 && s.size() == size_t(n));
}

int main()
{
	std::thread a(work, 5), b(work, 7);
	a.join();
	b.join();
}
