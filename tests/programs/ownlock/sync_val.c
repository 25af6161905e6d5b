/* A compare-and-swap that returns the old value. */
static int word;

static void take(void)
{
	while (__sync_val_compare_and_swap(&word, 0, 1) != 0)
		__asm__ volatile("pause" ::: "memory");
}

static void leave(void)
{
	__sync_lock_release(&word);
}

#include "account.h"
