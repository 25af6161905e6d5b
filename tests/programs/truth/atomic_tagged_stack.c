/*
 * A lock-free stack of indices with a tag against ABA; the program prints how often a thread had to
 * try again, and the number of pops that found it empty.
 *
 * options: --order creation
 */
#include "truth.h"
#include <stdatomic.h>

#define NODES 8
#define NONE 255u

static _Atomic uint64_t top = NONE; /* tag << 32 | index */
static atomic_uint next[NODES];
static atomic_int again, empty, sum;

static void push(unsigned i)
{
	uint64_t t = atomic_load(&top);

	for (;;) {
		atomic_store(&next[i], (unsigned)t);
		if (atomic_compare_exchange_weak(&top, &t, ((t >> 32) + 1) << 32 | i))
			return;
		atomic_fetch_add(&again, 1);
	}
}

static int pop(unsigned *ret)
{
	uint64_t t = atomic_load(&top);

	while ((unsigned)t != NONE) {
		unsigned n = atomic_load(&next[(unsigned)t]);

		if (atomic_compare_exchange_weak(&top, &t, ((t >> 32) + 1) << 32 | n)) {
			*ret = (unsigned)t;
			return 1;
		}
		atomic_fetch_add(&again, 1);
	}
	return 0;
}

static void *work(void *arg)
{
	unsigned first = arg ? 4 : 0, i;

	for (unsigned k = first; k < first + 4; k++) {
		push(k);
		if (k & 1) {
			if (pop(&i))
				atomic_fetch_add(&sum, (int)i);
			else
				atomic_fetch_add(&empty, 1);
		}
	}
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	unsigned i;

	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, &empty);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%d more tries, %d times empty, tag %u\n", atomic_load(&again), atomic_load(&empty), (unsigned)(top >> 32));
	while (pop(&i))
		atomic_fetch_add(&sum, (int)i);
	return sum != 28;
}
