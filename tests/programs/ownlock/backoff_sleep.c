/* Spins some times, then sleeps, as many real locks do. */
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

static atomic_uint word;

static void take(void)
{
	unsigned spins = 0, none = 0;

	while (!atomic_compare_exchange_weak(&word, &none, 1)) {
		none = 0;
		if (++spins < 10) {
			sched_yield();
		} else {
			struct timespec t = {0, 1000};

			nanosleep(&t, NULL);
		}
	}
}

static void leave(void)
{
	atomic_store(&word, 0);
}

#include "account.h"
