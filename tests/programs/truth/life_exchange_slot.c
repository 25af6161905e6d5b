/*
 * Two threads exchange their object with the one in the slot: each thread owns the object that it
 * holds.
 */
#include "truth.h"
#include <stdatomic.h>
static _Atomic(int *) slot;
static atomic_int total;
static void *worker(void *arg)
{
	for (int i = 0; i < 4; i++) {
		int *mine = malloc(sizeof(*mine));
		int *got;

		*mine = (int)(intptr_t)arg + i;
		got = atomic_exchange(&slot, mine);
		if (got) {
			atomic_fetch_add(&total, *got);
			free(got);
		}
	}
	return NULL;
}
int main(void)
{
	pthread_t a, b;
	int *last;

	pthread_create(&a, NULL, worker, (void *)10);
	pthread_create(&b, NULL, worker, (void *)20);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	last = atomic_load(&slot);
	assert(total + *last == 4 * 10 + 4 * 20 + 12);
	free(last);
	return 0;
}
