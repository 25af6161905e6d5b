/* A thread tries to take the word, and looks at it before it tries again. */
#include <sched.h>
#include <stdatomic.h>

static atomic_int word;

static void take(void)
{
	while (atomic_exchange(&word, 1))
		while (atomic_load(&word))
			sched_yield();
}

static void leave(void)
{
	atomic_store(&word, 0);
}

#include "late.h"
