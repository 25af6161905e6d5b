/* A ticket lock that waits longer the more threads are before it. */
#include <sched.h>
#include <stdatomic.h>

static atomic_uint next, serving;

static void take(void)
{
	unsigned mine = atomic_fetch_add(&next, 1), now;

	while ((now = atomic_load_explicit(&serving, memory_order_acquire)) != mine)
		for (unsigned i = 0; i < mine - now; i++)
			sched_yield();
}

static void leave(void)
{
	atomic_store_explicit(&serving, atomic_load(&serving) + 1, memory_order_release);
}

#include "account.h"
