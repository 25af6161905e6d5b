// Copy on write: readers keep a shared_ptr to a vector that never changes again; writers copy it
// under a lock.
#include "truth.h"
#include <memory>
#include <mutex>
#include <thread>
#include <vector>
static std::mutex m;
static std::shared_ptr<const std::vector<int>> data = std::make_shared<std::vector<int>>();
static void add(int x)
{
	std::lock_guard<std::mutex> g(m);
	auto n = std::make_shared<std::vector<int>>(*data);
	n->push_back(x);
	data = n;
}
static std::shared_ptr<const std::vector<int>> get()
{
	std::lock_guard<std::mutex> g(m);
	return data;
}
int main()
{
	std::thread a([] {
		for (int i = 0; i < 3; i++)
			add(1);
	});
	std::thread b([] {
		for (int i = 0; i < 3; i++) {
			auto d = get();
			int s = 0;
			for (int x : *d)
				s += x;
			assert(s == (int)d->size());
		}
	});
	a.join();
	b.join();
	assert(get()->size() == 3);
}
