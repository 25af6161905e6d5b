/*
 * A writer swaps a pointer and waits until no reader uses the old block, then frees it. Readers
 * print the versions that they saw; the writer prints how often it had to wait.
 *
 * options: --order creation
 */
#include "truth.h"
#include <stdatomic.h>

struct block {
	int version, check;
};

static _Atomic(struct block *) current;
static atomic_int readers[2], epoch;

static void *read_thrice(void *unused)
{
	for (int i = 0; i < 3; i++) {
		struct block *b;
		int e;

		for (;;) {
			e = atomic_load(&epoch) & 1;
			atomic_fetch_add(&readers[e], 1);
			if ((atomic_load(&epoch) & 1) == e)
				break;
			atomic_fetch_sub(&readers[e], 1);
		}
		b = atomic_load(&current);
		assert(b->check == b->version * 3);
		printf("version %d\n", b->version);
		atomic_fetch_sub(&readers[e], 1);
	}
	return unused;
}

static void *swap(void *unused)
{
	int waits = 0;

	for (int i = 1; i < 4; i++) {
		struct block *b = malloc(sizeof(*b)), *old;
		int e;

		b->version = i;
		b->check = i * 3;
		old = atomic_exchange(&current, b);
		for (int k = 0; k < 2; k++) {
			e = atomic_fetch_add(&epoch, 1) & 1;
			while (atomic_load(&readers[e])) {
				waits++;
				sched_yield();
			}
		}
		free(old);
	}
	printf("waited: %s\n", waits ? "yes" : "no");
	return unused;
}

int main(void)
{
	struct block *b = calloc(1, sizeof(*b));

	atomic_store(&current, b);
	both(read_thrice, swap, NULL);
	free(atomic_load(&current));
	return 0;
}
