/* atomic_flag */
#include <stdatomic.h>

static atomic_flag word = ATOMIC_FLAG_INIT;

static void take(void)
{
	while (atomic_flag_test_and_set(&word))
		;
}

static void leave(void)
{
	atomic_flag_clear(&word);
}

#include "account.h"
