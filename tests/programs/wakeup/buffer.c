/*
 * One condition variable for producers and consumers: a consumer's signal may wake the other
 * consumer.
 * order: 0,1,3,1,3,1,2,3,2,3,2
 */
#include <pthread.h>

#define ITEMS 4

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#ifdef FIXED
static pthread_cond_t empty = PTHREAD_COND_INITIALIZER, full = PTHREAD_COND_INITIALIZER;
#else
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
#define empty cond
#define full cond
#endif
static int count, left = ITEMS;

static void *consumer(void *arg)
{
	for (int i = 0; i < ITEMS / 2; i++) {
		pthread_mutex_lock(&m);
		while (!count)
			pthread_cond_wait(&full, &m); /* @wait */
		count = 0;
		left--;
		pthread_cond_signal(&empty); /* @signal */
		pthread_mutex_unlock(&m);
	}
	return arg;
}

static void *producer(void *arg)
{
	for (int i = 0; i < ITEMS; i++) {
		pthread_mutex_lock(&m);
		while (count)
			pthread_cond_wait(&empty, &m); /* @wait */
		count = 1;
		pthread_cond_signal(&full); /* @signal */
		pthread_mutex_unlock(&m);
	}
	return arg;
}

int main(void)
{
	pthread_t a, b, p;

	pthread_create(&a, 0, consumer, 0);
	pthread_create(&b, 0, consumer, 0);
	pthread_create(&p, 0, producer, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	pthread_join(p, 0);
	return left;
}
