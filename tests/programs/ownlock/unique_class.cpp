/* std::unique_lock over a template of a lock. */
#include <atomic>
#include <mutex>
#include <thread>

template <class T> class Exchange
{
	std::atomic<T> word{};

      public:
	void lock()
	{
		while (word.exchange(T(1), std::memory_order_acquire) != T())
			while (word.load(std::memory_order_relaxed) != T())
				std::this_thread::yield();
	}
	bool try_lock()
	{
		return word.exchange(T(1), std::memory_order_acquire) == T();
	}
	void unlock()
	{
		word.store(T(), std::memory_order_release);
	}
};

static Exchange<unsigned char> word;

struct holder {
	std::unique_lock<Exchange<unsigned char>> l;
};

static void take(holder *h)
{
	h->l = std::unique_lock<Exchange<unsigned char>>(word);
}

static void leave(holder *h)
{
	h->l.unlock();
}

#define NODE holder node
#include "account.h"
