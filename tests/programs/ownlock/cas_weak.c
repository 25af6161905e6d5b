/* A weak compare-exchange that sets its expected value anew. */
#include <stdatomic.h>

static atomic_int word;

static void take(void)
{
	int none;

	do
		none = 0;
	while (!atomic_compare_exchange_weak_explicit(&word, &none, 1, memory_order_acquire,
						      memory_order_relaxed));
}

static void leave(void)
{
	atomic_store_explicit(&word, 0, memory_order_release);
}

#include "account.h"
