// Threads leave a barrier one after the other with arrive_and_drop; the completion step counts the
// phases.
#include "truth.h"
#include <barrier>
#include <thread>
#include <vector>
static int phases, work[3];
struct step {
	void operator()() noexcept { phases++; }
};
static std::barrier<step> b(3, step{});
int main()
{
	std::vector<std::thread> t;
	for (int i = 0; i < 3; i++)
		t.emplace_back([i] {
			for (int k = 0; k < i; k++) {
				work[i]++;
				b.arrive_and_wait();
				assert(phases >= k + 1);
			}
			b.arrive_and_drop();
		});
	for (auto &x : t)
		x.join();
	assert(phases == 3 && work[1] == 1 && work[2] == 2);
}
