/*
 * A table is published lazily by compare-and-exchange; the loser frees its own table and uses the
 * other.
 */
#include "truth.h"
#include <stdatomic.h>
static _Atomic(int *) table;
static int *get(void)
{
	int *t = atomic_load_explicit(&table, memory_order_acquire), *mine;

	if (t)
		return t;
	mine = calloc(8, sizeof(*mine));
	for (int i = 0; i < 8; i++)
		mine[i] = i * i;
	t = NULL;
	if (atomic_compare_exchange_strong(&table, &t, mine))
		return mine;
	free(mine);
	return t;
}
static void *worker(void *arg)
{
	assert(get()[3] == 9);
	return arg;
}
int main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		assert(!pthread_create(&t[i], NULL, worker, NULL));
	assert(get()[7] == 49);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	free(atomic_load(&table));
	return 0;
}
