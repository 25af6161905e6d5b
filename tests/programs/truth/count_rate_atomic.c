/*
 * A rate limiter with atomics: a caller takes from the budget if some is left; otherwise it waits
 * for the next period and tries again. The program prints the number of calls served in each
 * period.
 *
 * options: --order creation
 */
#include "truth.h"
#include <stdatomic.h>

static atomic_int budget = 2, period, served[8];

static void *periods(void *unused)
{
	for (int i = 1; i < 8; i++) {
		atomic_store(&period, i);
		atomic_store(&budget, 2);
		sched_yield();
	}
	return unused;
}

static int pass(void)
{
	int b = atomic_load(&budget);

	while (b > 0)
		if (atomic_compare_exchange_weak(&budget, &b, b - 1))
			return 1;
	return 0;
}

static void *call(void *unused)
{
	int refused = 0;

	for (int i = 0; i < 4; i++) {
		if (pass()) {
			atomic_fetch_add(&served[atomic_load(&period)], 1);
		} else {
			refused++;
			sched_yield();
		}
	}
	printf("%d refused in period %d\n", refused, atomic_load(&period));
	return unused;
}

int main(void)
{
	pthread_t p;

	pthread_create(&p, NULL, periods, NULL);
	both(call, call, NULL);
	pthread_join(p, NULL);
	for (int i = 0; i < 8; i++)
		printf("%d ", atomic_load(&served[i]));
	puts("served");
	return 0;
}
