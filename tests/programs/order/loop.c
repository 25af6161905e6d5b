/*
 * A thread adds up a table in a loop, which the trace has as one event. Another thread fills the
 * table first, because it happens to be faster. FIXED: the reader waits for it.
 *
 * order: creation
 */
#include <pthread.h>
#include <stdlib.h>

#define N 6

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int weight[N];

static void *fill(void *arg)
{
	pthread_mutex_lock(&lock);
	weight[1] = 3;
	weight[4] = 5;
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *use(void *arg)
{
	int sum = 0;

	pthread_mutex_lock(&lock);
	for (int i = 0; i < N; i++)
		sum += weight[i];
	pthread_mutex_unlock(&lock);
	if (sum != 8)
		abort(); /* @fails */
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, fill, NULL);
#ifdef FIXED
	pthread_join(t[0], NULL);
#endif
	pthread_create(&t[1], NULL, use, NULL);
#ifndef FIXED
	pthread_join(t[0], NULL);
#endif
	pthread_join(t[1], NULL);
	return 0;
}
