/*
 * A hand-made spin lock counts its spins.
 *
 * options: --order creation
 */
#include "truth.h"
#include <stdatomic.h>

static atomic_int held;
static atomic_int spins;
static int n;

static void *work(void *unused)
{
	for (int i = 0; i < 4; i++) {
		while (atomic_exchange(&held, 1)) {
			atomic_fetch_add(&spins, 1);
			sched_yield();
		}
		n++;
		atomic_store(&held, 0);
	}
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	printf("n = %d after %d spins\n", n, atomic_load(&spins));
	return n != 8;
}
