/* A compare-exchange that stores the owner. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_ulong word;

static void take(void)
{
	unsigned long none = 0;

	while (!atomic_compare_exchange_strong(&word, &none, (unsigned long)pthread_self()))
		none = 0;
}

static void leave(void)
{
	atomic_store(&word, 0);
}

#include "account.h"
