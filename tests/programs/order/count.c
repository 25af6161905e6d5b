/*
 * A consumer does not wait for the producer, and finds an empty queue.
 * The twin waits.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
int count;

static void *first(void *arg)
{
	pthread_mutex_lock(&lock);
	count++;
	pthread_cond_signal(&filled);
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *second(void *arg)
{
	pthread_mutex_lock(&lock);
#ifdef FIXED
	while (!count)
		pthread_cond_wait(&filled, &lock);
#endif
	assert(count > 0); /* @fails */
	count--;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
