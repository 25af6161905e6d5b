/*
 * The completion of a std::barrier moves data between phases, alone.
 */
#include "truth.h"
#include <barrier>
#include <thread>
#include <vector>
static int cell[2][3], phase;
int main()
{
	auto done = []() noexcept { phase++; };
	std::barrier b(3, done);
	std::vector<std::thread> t;
	for (int i = 0; i < 3; i++)
		t.emplace_back([&, i] {
			for (int k = 0; k < 3; k++) {
				cell[(k + 1) % 2][i] = cell[k % 2][(i + 1) % 3] + 1;
				b.arrive_and_wait();
			}
		});
	for (auto &x : t)
		x.join();
	assert(phase == 3 && cell[1][0] == 3);
}
