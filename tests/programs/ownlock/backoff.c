/* An exchange, with a delay that doubles. */
#include <sched.h>
#include <stdatomic.h>

static atomic_int word;

static void take(void)
{
	int delay = 1;

	while (atomic_exchange_explicit(&word, 1, memory_order_acquire)) {
		for (volatile int i = 0; i < delay; i++)
			;
		if (delay < 1024)
			delay *= 2;
		else
			sched_yield();
	}
}

static void leave(void)
{
	atomic_store_explicit(&word, 0, memory_order_release);
}

#include "account.h"
