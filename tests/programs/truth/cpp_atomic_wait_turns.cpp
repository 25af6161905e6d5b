/*
 * Three threads take turns by atomic wait and notify_all on one number. A wake-up for a thread that
 * did not sleep must not use up that of another one.
 * options: --order random:2
 */
#include "truth.h"
#include <atomic>
#include <thread>
#include <vector>
static std::atomic<int> turn;
static int trace[9], n;
int main()
{
	std::vector<std::thread> t;
	for (int i = 0; i < 3; i++)
		t.emplace_back([i] {
			for (int k = 0; k < 3; k++) {
				for (int now; (now = turn.load()) % 3 != i;)
					turn.wait(now);
				trace[n++] = i;
				turn.fetch_add(1);
				turn.notify_all();
			}
		});
	for (auto &x : t)
		x.join();
	for (int i = 0; i < 9; i++)
		assert(trace[i] == i % 3);
}
