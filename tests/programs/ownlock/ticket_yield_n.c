/* A ticket lock that spins a while before each yield. */
#include <sched.h>
#include <stdatomic.h>

static atomic_uint next, serving;

static void take(void)
{
	unsigned mine = atomic_fetch_add(&next, 1);
	int spins = 0;

	while (atomic_load(&serving) != mine)
		if (++spins % 4 == 0)
			sched_yield();
}

static void leave(void)
{
	atomic_fetch_add(&serving, 1);
}

#include "account.h"
