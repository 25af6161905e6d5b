/* A test-and-set lock. */
#include <sched.h>
#include <stdatomic.h>

static atomic_int word;

static void take(void)
{
	while (atomic_exchange(&word, 1))
		sched_yield();
}

static void leave(void)
{
	atomic_store(&word, 0);
}

#include "late.h"
