/* __atomic_test_and_set of a byte. */
static char word;

static void take(void)
{
	while (__atomic_test_and_set(&word, __ATOMIC_ACQUIRE))
		;
}

static void leave(void)
{
	__atomic_clear(&word, __ATOMIC_RELEASE);
}

#include "account.h"
