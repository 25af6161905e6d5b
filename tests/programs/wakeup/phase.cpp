/*
 * The last of three threads begins a phase, and notifies one of the two others. In the recorded
 * run, nobody sleeps.
 * order: creation
 */
#include <atomic>
#include <thread>

static std::atomic<int> phase, arrived;

static void arrive()
{
	if (++arrived < 3) {
		phase.wait(0); // @wait
		return;
	}
	phase = 1;
#ifdef FIXED
	phase.notify_all();
#else
	phase.notify_one();
#endif
}

int main()
{
	std::thread a(arrive), b(arrive), c(arrive);

	a.join();
	b.join();
	c.join();
}
