/* Test-and-set with exponential back-off, counted in a local. */
#include <stdatomic.h>

static atomic_int word;

static void take(void)
{
	for (int delay = 1; atomic_exchange(&word, 1); delay = delay < 64 ? 2 * delay : 64)
		for (volatile int i = 0; i < delay; i++)
			;
}

static void leave(void)
{
	atomic_store(&word, 0);
}

#include "account.h"
