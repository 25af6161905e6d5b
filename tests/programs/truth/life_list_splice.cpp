// Nodes move between lists by splice under two locks; iterators stay valid, and one thread erases
// under the lock.
#include "truth.h"
#include <list>
#include <mutex>
#include <thread>
static std::mutex m1, m2;
static std::list<int> l1 = {1, 2, 3, 4}, l2;
int main()
{
	std::thread a([] {
		for (int i = 0; i < 3; i++) {
			std::scoped_lock g(m1, m2);
			if (!l1.empty())
				l2.splice(l2.end(), l1, l1.begin());
		}
	});
	std::thread b([] {
		for (int i = 0; i < 3; i++) {
			std::scoped_lock g(m2, m1);
			for (auto it = l2.begin(); it != l2.end();)
				it = *it % 2 ? l2.erase(it) : std::next(it);
		}
	});
	a.join();
	b.join();
	for (int x : l2)
		assert(x > 0 && x < 4);
	assert(l1.size() == 1 && l1.front() == 4);
}
