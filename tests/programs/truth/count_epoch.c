/*
 * Readers print the epoch that they saw first and last; a writer advances it.
 *
 * options: --order creation
 */
#include "truth.h"
#include <stdatomic.h>

static atomic_int epoch;

static void *advance(void *unused)
{
	for (int i = 0; i < 3; i++)
		atomic_store(&epoch, i + 1);
	return unused;
}

static void *read_twice(void *unused)
{
	int a = atomic_load(&epoch), b = atomic_load(&epoch);

	assert(a <= b);
	printf("epoch %d%s\n", b, a == b ? "" : ", it advanced");
	return unused;
}

int main(void)
{
	return both(advance, read_twice, NULL);
}
