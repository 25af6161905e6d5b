/* A thread sleeps ever longer before it tries again. */
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_flag word = ATOMIC_FLAG_INIT;

static void take(void)
{
	unsigned wait = 1;

	while (atomic_flag_test_and_set(&word)) {
		usleep(wait);
		if (wait < 64)
			wait *= 2;
	}
}

static void leave(void)
{
	atomic_flag_clear(&word);
}

#include "late.h"
