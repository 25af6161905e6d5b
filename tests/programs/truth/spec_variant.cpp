// A tagged union: the tag is atomic and says which member may be read.
#include "truth.h"
#include <atomic>
#include <thread>
struct cell {
	std::atomic<int> tag{0};
	union {
		int i;
		double d;
	};
	cell() : i(0) {}
};
static cell cells[4];
int main()
{
	std::thread a([] {
		for (int k = 0; k < 4; k++) {
			if (k & 1)
				cells[k].d = 2.5;
			else
				cells[k].i = 2;
			cells[k].tag.store(1 + (k & 1), std::memory_order_release);
		}
	});
	std::thread b([] {
		double s = 0;
		int n = 0;
		for (auto &c : cells) {
			int t = c.tag.load(std::memory_order_acquire);
			s += t == 1 ? c.i : t == 2 ? c.d : 0;
			n += t != 0;
		}
		assert(s >= 2 * n && s <= 2.5 * n);
	});
	a.join();
	b.join();
}
