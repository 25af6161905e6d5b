/* Test and test-and-set: a loop of looks, then an exchange. */
#include <stdatomic.h>

static atomic_int word;

static void take(void)
{
	for (;;) {
		while (atomic_load_explicit(&word, memory_order_relaxed))
			;
		if (!atomic_exchange(&word, 1))
			return;
	}
}

static void leave(void)
{
	atomic_store(&word, 0);
}

#include "account.h"
