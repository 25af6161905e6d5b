/*
 * A reader of a sequence lock counts its retries.
 *
 * options: --order creation
 */
#include "truth.h"
#include <stdatomic.h>

static atomic_uint seq;
static atomic_int a, b;
static int retries;

static void *write_both(void *unused)
{
	for (int i = 1; i <= 4; i++) {
		atomic_fetch_add(&seq, 1);
		atomic_store(&a, i);
		atomic_store(&b, i);
		atomic_fetch_add(&seq, 1);
	}
	return unused;
}

static void *read_both(void *unused)
{
	for (int i = 0; i < 4; i++)
		for (;;) {
			unsigned s = atomic_load(&seq);
			int x = atomic_load(&a), y = atomic_load(&b);

			if (!(s & 1) && s == atomic_load(&seq)) {
				assert(x == y);
				break;
			}
			retries++;
			sched_yield();
		}
	return unused;
}

int main(void)
{
	both(write_both, read_both, NULL);
	printf("%d retries\n", retries);
	return 0;
}
