// A gate of an atomic generation: waiters wait for its change, and the opener notifies all.
#include "truth.h"
#include <atomic>
#include <thread>
static std::atomic<int> generation{0}, inside{0};
static int payload[3];
int main()
{
	auto body = [](int me) {
		for (int g = 0; g < 2; g++) {
			int now = generation.load();
			while (now == g) {
				generation.wait(g);
				now = generation.load();
			}
			assert(payload[g] == g + 5);
			inside.fetch_add(me);
		}
	};
	std::thread a(body, 1), b(body, 10);
	for (int g = 0; g < 2; g++) {
		payload[g] = g + 5;
		generation.store(g + 1);
		generation.notify_all();
	}
	a.join();
	b.join();
	assert(inside == 22);
}
