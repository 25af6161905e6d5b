/* A class with a compare-exchange. */
#include <atomic>

class Spin
{
	std::atomic<int> word{0};

      public:
	bool try_lock()
	{
		int none = 0;

		return word.compare_exchange_strong(none, 1);
	}
	void lock()
	{
		while (!try_lock())
			;
	}
	void unlock()
	{
		word.store(0, std::memory_order_release);
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
