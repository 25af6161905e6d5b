/* The oldest builtins, with a volatile word. */
static volatile int word;

static void take(void)
{
	while (__sync_lock_test_and_set(&word, 1))
		while (word)
			;
}

static void leave(void)
{
	__sync_lock_release(&word);
}

#include "account.h"
