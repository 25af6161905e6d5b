/* One bit of a word is the lock; the other bits are flags that never change. */
#include <sched.h>
#include <stdatomic.h>

#define BUSY 1u

static atomic_uint word = 0x40;

static void take(void)
{
	while (atomic_fetch_or_explicit(&word, BUSY, memory_order_acquire) & BUSY)
		sched_yield();
}

static void leave(void)
{
	atomic_fetch_and_explicit(&word, ~BUSY, memory_order_release);
}

#include "account.h"
