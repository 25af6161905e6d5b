/* A compare-and-exchange that stores the owner. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static _Atomic unsigned long owner;

static void take(void)
{
	for (;;) {
		unsigned long expected = 0;

		if (atomic_compare_exchange_strong(&owner, &expected, (unsigned long)pthread_self()))
			return;
		sched_yield();
	}
}

static void leave(void)
{
	atomic_store(&owner, 0);
}

#include "late.h"
