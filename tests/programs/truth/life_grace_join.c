/*
 * The readers of an old table are joined before it is freed; readers of the new table start before
 * that.
 */
#include "truth.h"
#include <stdatomic.h>
static _Atomic(int *) table;
static void *reader(void *unused)
{
	int *t = atomic_load_explicit(&table, memory_order_acquire);

	(void)unused;
	assert(t[1] == t[0] * 3);
	return NULL;
}
static int *make(int k)
{
	int *t = malloc(2 * sizeof(*t));

	t[0] = k;
	t[1] = k * 3;
	return t;
}
int main(void)
{
	pthread_t old, new;
	int *before = make(1);

	atomic_store(&table, before);
	pthread_create(&old, NULL, reader, NULL);
	for (int i = 2; i < 6; i++) {
		int *n = make(i);

		atomic_store_explicit(&table, n, memory_order_release);
		pthread_create(&new, NULL, reader, NULL);
		pthread_join(old, NULL);
		before[0] = before[1] = -1;
		free(before);
		before = n;
		old = new;
	}
	pthread_join(old, NULL);
	free(before);
	return 0;
}
