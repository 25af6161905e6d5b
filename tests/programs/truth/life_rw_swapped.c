/*
 * Readers use the object under a read lock; the writer swaps it under the write lock and frees the
 * old one afterwards.
 */
#include "truth.h"
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int *table;
static void *reader(void *unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++) {
		pthread_rwlock_rdlock(&lock);
		int *t = table;
		assert(t[0] == t[1]);
		assert(t[2] == 2 * t[0]);
		pthread_rwlock_unlock(&lock);
	}
	return NULL;
}
static void *writer(void *unused)
{
	(void)unused;
	for (int i = 1; i < 4; i++) {
		int *n = malloc(3 * sizeof(*n)), *old;

		n[0] = n[1] = i;
		n[2] = 2 * i;
		pthread_rwlock_wrlock(&lock);
		old = table;
		table = n;
		pthread_rwlock_unlock(&lock);
		old[0] = 99;
		free(old);
	}
	return NULL;
}
int main(void)
{
	table = calloc(3, sizeof(*table));
	both(reader, writer, NULL);
	assert(table[2] == 6);
	free(table);
	return 0;
}
