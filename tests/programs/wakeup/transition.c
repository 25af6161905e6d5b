/*
 * A producer signals only if the queue was empty. With two items at once, the second consumer
 * sleeps on.
 * order: 0,1,2,3,1,4
 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int count;

static void *consumer(void *arg)
{
	pthread_mutex_lock(&m);
	while (!count)
		pthread_cond_wait(&c, &m); /* @wait */
	count--;
	pthread_mutex_unlock(&m);
	return arg;
}

static void *producer(void *arg)
{
	pthread_mutex_lock(&m);
	count++;
#ifndef FIXED
	if (count == 1)
#endif
		pthread_cond_signal(&c); /* @signal */
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], 0, i < 2 ? consumer : producer, 0);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], 0);
	return 0;
}
