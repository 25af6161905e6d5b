/* A failed attempt throws; take() tries again. */
#include <atomic>
#include <sched.h>

static std::atomic<bool> word{false};

struct busy {
};

__attribute__((noinline)) static void attempt()
{
	if (word.exchange(true))
		throw busy();
}

static void take()
{
	for (;;)
		try {
			attempt();
			return;
		} catch (const busy &) {
			sched_yield();
		}
}

static void leave()
{
	word.store(false);
}

#include "account.h"
