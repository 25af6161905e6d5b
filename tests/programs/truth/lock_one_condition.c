/* One condition for producers and consumers: each thread that changes the buffer wakes all. */
#include "truth.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int full, value, sum;
static void *producer(void *arg)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&m);
		while (full)
			pthread_cond_wait(&c, &m);
		value = (int)(intptr_t)arg;
		full = 1;
		pthread_cond_broadcast(&c);
		pthread_mutex_unlock(&m);
	}
	return NULL;
}
static void *consumer(void *unused)
{
	(void)unused;
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&m);
		while (!full)
			pthread_cond_wait(&c, &m);
		sum += value;
		full = 0;
		pthread_cond_broadcast(&c);
		pthread_mutex_unlock(&m);
	}
	return NULL;
}
int main(void)
{
	pthread_t t[4];

	pthread_create(&t[0], NULL, producer, (void *)1);
	pthread_create(&t[1], NULL, consumer, NULL);
	pthread_create(&t[2], NULL, consumer, NULL);
	pthread_create(&t[3], NULL, producer, (void *)10);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	assert(sum == 22);
	return 0;
}
