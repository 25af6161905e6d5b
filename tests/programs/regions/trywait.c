/*
 * Two threads lose an update under a lock, in two regions. Between the two, they take nothing from
 * an empty semaphore, thousands of times. FIXED: one region.
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t empty;
static int left = 2;

static void *take(void *arg)
{
	int old;

	pthread_mutex_lock(&m);
	old = left;
#ifndef FIXED
	pthread_mutex_unlock(&m);
#endif
	for (int i = 0; i < 10000; i++)
		sem_trywait(&empty);
#ifndef FIXED
	pthread_mutex_lock(&m);
#endif
	left = old - 1;
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	sem_init(&empty, 0, 0);
	pthread_create(&a, NULL, take, NULL);
	pthread_create(&b, NULL, take, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(left == 0);
	return 0;
}
