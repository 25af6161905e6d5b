/* A lock for one writer or many readers, in one word; here all are writers. */
#include <sched.h>
#include <stdatomic.h>

#define WRITER -1

static atomic_int word;

static void take(void)
{
	int none = 0;

	while (!atomic_compare_exchange_strong(&word, &none, WRITER)) {
		none = 0;
		sched_yield();
	}
}

static void leave(void)
{
	atomic_fetch_add(&word, 1);
}

#include "account.h"
