/* A function tries, another one repeats it. */
#include <sched.h>
#include <stdatomic.h>

static atomic_int word;

static int try_take(void)
{
	int none = 0;

	return atomic_compare_exchange_strong(&word, &none, 1);
}

static void take(void)
{
	while (!try_take())
		sched_yield();
}

static void leave(void)
{
	atomic_store(&word, 0);
}

#include "account.h"
