/*
 * A large array from new[] is deleted while another thread writes into it: its pages are gone.
 * order: creation
 * expect: use-after-free
 * harm: crash
 */
#include <mutex>
#include <thread>

static std::mutex lock;
static long *samples = new long[100000]();

static void sample()
{
	for (int i = 0; i < 4; i++) {
		std::unique_lock<std::mutex> held(lock);
		long *to = samples;

#ifndef FIXED
		held.unlock();
#endif
		if (to)
			to[i * 1024 + 5000] = i;
	}
}

static void stop()
{
	std::unique_lock<std::mutex> held(lock);
	long *old = samples;

	samples = nullptr;
	held.unlock();
	delete[] old;
}

int main()
{
	std::thread a(sample), b(stop);
	a.join();
	b.join();
}
