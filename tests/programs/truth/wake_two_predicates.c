/* One condition serves two predicates, so that every change is broadcast. */
#include "truth.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int full;
static void *producer(void *arg)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&m);
		while (full)
			pthread_cond_wait(&c, &m);
		full = 1;
		pthread_cond_broadcast(&c);
		pthread_mutex_unlock(&m);
	}
	return arg;
}
static void *consumer(void *arg)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&m);
		while (!full)
			pthread_cond_wait(&c, &m);
		full = 0;
		pthread_cond_broadcast(&c);
		pthread_mutex_unlock(&m);
	}
	return arg;
}
int main(void)
{
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		assert(!pthread_create(&t[i], NULL, i % 2 ? producer : consumer, NULL));
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	assert(!full);
	return 0;
}
