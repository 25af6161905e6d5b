/* take() calls itself until it has the lock. */
#include <sched.h>
#include <stdatomic.h>

static atomic_flag word = ATOMIC_FLAG_INIT;

__attribute__((noinline)) static void take(void)
{
	if (!atomic_flag_test_and_set(&word))
		return;
	sched_yield();
	take();
}

static void leave(void)
{
	atomic_flag_clear(&word);
}

#include "account.h"
