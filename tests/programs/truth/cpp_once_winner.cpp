// The first try of call_once fails with an exception, so another thread tries; the program
// prints the name of the thread that succeeded.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::once_flag once;
static std::atomic<int> tries;
static int winner = -1, failed[3];

static void work(int me)
{
	try {
		std::call_once(once, [me] {
			if (tries++ == 0)
				throw std::runtime_error("not yet");
			winner = me;
		});
		if (winner < 0)
			std::abort();
	} catch (const std::runtime_error &) {
		failed[me]++;
	}
}

int main()
{
	std::thread t[3];
	for (int i = 0; i < 3; i++)
		t[i] = std::thread(work, i);
	for (auto &x : t)
		x.join();
	std::printf("winner %d, failed %d %d %d\n", winner, failed[0], failed[1], failed[2]);
	return tries != 2 || failed[0] + failed[1] + failed[2] != 1;
}
