/* goto instead of a loop. */
#include <stdatomic.h>

static atomic_int word;

static void take(void)
{
	int none;

again:
	while (atomic_load(&word))
		;
	none = 0;
	if (!atomic_compare_exchange_weak(&word, &none, 1))
		goto again;
}

static void leave(void)
{
	atomic_store(&word, 0);
}

#include "account.h"
