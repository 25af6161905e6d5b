/* The attempt looks first, and the loop counts its attempts. */
#include <sched.h>
#include <stdatomic.h>

static atomic_int word;

static int try_take(void)
{
	return atomic_load(&word) == 0 && atomic_exchange(&word, 1) == 0;
}

static void take(void)
{
	int spins = 0;

	while (!try_take())
		if (++spins > 100) {
			spins = 0;
			sched_yield();
		}
}

static void leave(void)
{
	atomic_store(&word, 0);
}

#include "account.h"
