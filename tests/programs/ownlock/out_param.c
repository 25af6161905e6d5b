/* An attempt gives its outcome through an out-parameter. */
#include <sched.h>
#include <stdatomic.h>

static atomic_int word;

static void attempt(int *got)
{
	int none = 0;

	*got = atomic_compare_exchange_strong(&word, &none, 1);
}

static void take(void)
{
	int got = 0;

	while (!got) {
		attempt(&got);
		if (!got)
			sched_yield();
	}
}

static void leave(void)
{
	atomic_store(&word, 0);
}

#include "account.h"
