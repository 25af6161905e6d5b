/* A class with std::atomic<bool>: an exchange, then looks. */
#include <atomic>
#include <thread>

class Spin
{
	std::atomic<bool> word{false};

      public:
	void lock()
	{
		for (;;) {
			if (!word.exchange(true, std::memory_order_acquire))
				return;
			while (word.load(std::memory_order_relaxed))
				std::this_thread::yield();
		}
	}
	void unlock()
	{
		word.store(false, std::memory_order_release);
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
