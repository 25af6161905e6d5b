/*
 * A class with a ticket lock. At -O0, the waiting loop calls functions.
 * level: -O1
 */
#include <atomic>
#include <mutex>
#include <thread>

class Ticket
{
	std::atomic<unsigned> in{0}, out{0};

      public:
	void lock()
	{
		const unsigned my = in.fetch_add(1, std::memory_order_relaxed);

		while (out.load(std::memory_order_acquire) != my)
			std::this_thread::yield();
	}
	void unlock()
	{
		out.store(out.load(std::memory_order_relaxed) + 1, std::memory_order_release);
	}
};

static Ticket ticket;

static void take()
{
	ticket.lock();
}

static void leave()
{
	ticket.unlock();
}

#include "account.h"
