/*
 * A flag that is set after its waiter was notified.
 * order: creation
 */
#include <atomic>
#include <thread>

static std::atomic<int> flag;

int main()
{
	std::thread waits([] { flag.wait(0); }); // @wait
	std::thread sets([] {
#ifdef FIXED
		flag = 1;
		flag.notify_one();
#else
		flag.notify_one();
		flag = 1;
#endif
	});

	waits.join();
	sets.join();
}
