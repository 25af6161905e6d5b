/* A ticket lock. */
#include <sched.h>
#include <stdatomic.h>

static atomic_uint next, serving;

static void take(void)
{
	unsigned mine = atomic_fetch_add(&next, 1);

	while (atomic_load(&serving) != mine)
		sched_yield();
}

static void leave(void)
{
	atomic_fetch_add(&serving, 1);
}

#include "late.h"
