/*
 * A counting_semaphore limits the number of threads that use two slots; each slot has one user at a
 * time.
 */
#include "truth.h"
#include <atomic>
#include <semaphore>
#include <thread>
#include <vector>
static std::counting_semaphore<2> gate(2);
static std::atomic<int> used[2];
static int value[2];
int main()
{
	std::vector<std::thread> t;
	for (int i = 0; i < 3; i++)
		t.emplace_back([] {
			for (int k = 0; k < 2; k++) {
				gate.acquire();
				int s = 0;
				while (used[s].exchange(1))
					s = 1 - s;
				value[s]++;
				used[s].store(0);
				gate.release();
			}
		});
	for (auto &x : t)
		x.join();
	assert(value[0] + value[1] == 6);
}
