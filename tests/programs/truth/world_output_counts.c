/* The program prints how often it had to retry, which depends on the schedule. */
#include "truth.h"
#include <stdatomic.h>

static atomic_int v, retries;

static void *work(void *unused)
{
	for (int i = 0; i < 5; i++) {
		int old = atomic_load(&v);

		while (!atomic_compare_exchange_weak(&v, &old, old + 1))
			atomic_fetch_add(&retries, 1);
		tick();
	}
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	printf("%d retries\n", atomic_load(&retries));
	return v != 10;
}
