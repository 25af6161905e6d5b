/*
 * A thread uses a large block after another thread has freed it. The block was a mapping of its
 * own, so the use crashes, and the trace has no event of it. FIXED: the owner clears the pointer.
 *
 * order: 0,2,1
 */
#include <pthread.h>
#include <stdlib.h>

#define N (1 << 20)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *table;

static void *use(void *arg)
{
	pthread_mutex_lock(&lock);
	if (table)
		table[N / 2]++;
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *drop(void *arg)
{
	pthread_mutex_lock(&lock);
	free(table);
#ifdef FIXED
	table = NULL;
#endif
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	table = calloc(N, sizeof(*table));
	pthread_create(&t[0], NULL, use, NULL);
	pthread_create(&t[1], NULL, drop, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
