/* Lazy initialisation by compare-and-swap: the loser frees its copy. */
#include "truth.h"
#include <stdatomic.h>

static int *_Atomic table;

static int *get(void)
{
	int *t = atomic_load_explicit(&table, memory_order_acquire), *none = NULL;

	if (t)
		return t;
	t = malloc(4 * sizeof(int));
	for (int i = 0; i < 4; i++)
		t[i] = i * 10;
	if (atomic_compare_exchange_strong(&table, &none, t))
		return t;
	free(t);
	return none;
}

static void *work(void *unused)
{
	assert(get()[3] == 30);
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	free(atomic_load(&table));
	return 0;
}
