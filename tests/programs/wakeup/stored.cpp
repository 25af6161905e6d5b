/*
 * main stores the value that a thread waits for, and wakes nobody. In the recorded run, the thread
 * comes late.
 * order: 0,1
 */
#include <atomic>
#include <thread>

static std::atomic<bool> ready;

int main()
{
	std::thread t([] {
		ready.wait(false); /* @wait */
	});

	ready = true;
#ifdef FIXED
	ready.notify_one();
#endif
	t.join();
}
