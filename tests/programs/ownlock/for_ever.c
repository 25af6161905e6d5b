/* An endless loop with a return inside. */
#include <sched.h>
#include <stdatomic.h>

static atomic_int word;

static void take(void)
{
	for (;;) {
		if (!atomic_load_explicit(&word, memory_order_relaxed)) {
			int none = 0;

			if (atomic_compare_exchange_strong(&word, &none, 1))
				return;
		}
		sched_yield();
	}
}

static void leave(void)
{
	atomic_store_explicit(&word, 0, memory_order_release);
}

#include "account.h"
