/* A class with std::atomic_flag. */
#include <atomic>

class Spin
{
	std::atomic_flag word = ATOMIC_FLAG_INIT;

      public:
	void lock()
	{
		while (word.test_and_set(std::memory_order_acquire))
			;
	}
	void unlock()
	{
		word.clear(std::memory_order_release);
	}
};

static Spin spin;

static void take()
{
	spin.lock();
}

static void leave()
{
	spin.unlock();
}

#include "account.h"
