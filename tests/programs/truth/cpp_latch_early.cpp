/*
 * Workers count a latch down and check whether it is open yet; the program prints the number of
 * workers that found it closed.
 *
 * options: --order creation
 */
#include <atomic>
#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <latch>
#include <thread>

static std::latch ready(3);
static std::atomic<int> early, phases;
static int value[3];

static void work(int me, std::barrier<> *b)
{
	value[me] = me + 1;
	ready.count_down();
	if (!ready.try_wait())
		early++;
	ready.wait();
	if (value[0] + value[1] + value[2] != 6)
		std::abort();
	b->arrive_and_wait();
	if (phases.fetch_add(1) == 2)
		std::printf("%d was last, %d early\n", me, early.load());
}

int main()
{
	std::barrier<> b(3);
	std::thread t[3];
	for (int i = 0; i < 3; i++)
		t[i] = std::thread(work, i, &b);
	for (auto &x : t)
		x.join();
	return phases != 3;
}
