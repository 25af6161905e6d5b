/*
 * A sequence lock with two writers; the readers print how often they began anew and which version
 * they saw.
 *
 * options: --order creation
 */
#include "truth.h"
#include <stdatomic.h>

static atomic_uint seq;
static atomic_int x, y;

static void *write_twice(void *unused)
{
	for (int i = 0; i < 2; i++) {
		unsigned s = atomic_load(&seq);

		while (s & 1 || !atomic_compare_exchange_weak(&seq, &s, s + 1)) {
			sched_yield();
			s = atomic_load(&seq);
		}
		atomic_store(&x, atomic_load(&x) + 1);
		atomic_store(&y, atomic_load(&y) + 2);
		atomic_store(&seq, s + 2);
	}
	return unused;
}

static void *read_once(void *unused)
{
	int a, b, again = -1;
	unsigned s, e;

	do {
		again++;
		s = atomic_load(&seq);
		a = atomic_load(&x);
		b = atomic_load(&y);
		e = atomic_load(&seq);
		if (s & 1 || s != e)
			sched_yield();
	} while (s & 1 || s != e);
	assert(b == 2 * a);
	printf("version %u after %d more tries\n", s / 2, again);
	return unused;
}

int main(void)
{
	pthread_t r;

	pthread_create(&r, NULL, read_once, NULL);
	both(write_twice, write_twice, NULL);
	pthread_join(r, NULL);
	return x != 4 || y != 8;
}
