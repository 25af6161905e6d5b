/*
 * A queue is shut down. One thread sets the flag, and another reads it, both without the lock.
 * Nothing wakes a thread that has seen the flag unset, so it waits for ever.
 *
 * expect: data-race closed write@close read@look
 * harm: hang waits for a signal of `more`
 * order: creation
 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int closed, items, served;

static void *producer(void *arg)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&m);
		items++;
		pthread_cond_signal(&more);
		pthread_mutex_unlock(&m);
	}
#ifdef FIXED
	pthread_mutex_lock(&m);
#endif
	closed = 1; /* @close */
#ifdef FIXED
	pthread_cond_signal(&more);
	pthread_mutex_unlock(&m);
#endif
	return arg;
}

static void *consumer(void *arg)
{
	while (served < 3) {
		pthread_mutex_lock(&m);
		while (!items)
			pthread_cond_wait(&more, &m);
		items--;
		served++;
		pthread_mutex_unlock(&m);
	}
#ifdef FIXED
	pthread_mutex_lock(&m);
	while (!items && !closed)
		pthread_cond_wait(&more, &m);
	served += items;
	pthread_mutex_unlock(&m);
#else
	if (closed) /* @look */
		return arg;
	pthread_mutex_lock(&m);
	while (!items)
		pthread_cond_wait(&more, &m);
	served += items;
	pthread_mutex_unlock(&m);
#endif
	return arg;
}

int main(void)
{
	pthread_t t1, t2;

	pthread_create(&t2, NULL, consumer, NULL);
	pthread_create(&t1, NULL, producer, NULL);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	printf("%d\n", served);
	return 0;
}
