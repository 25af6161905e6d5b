/* A class with a flag.
 * level: -O1 -O2
 */
#include <atomic>
#include <sched.h>

class spin_lock {
	std::atomic<bool> taken{false};

public:
	void lock()
	{
		while (taken.exchange(true))
			sched_yield();
	}
	void unlock()
	{
		taken.store(false);
	}
};

static spin_lock guard;

static void take()
{
	guard.lock();
}

static void leave()
{
	guard.unlock();
}

#include "late.h"
