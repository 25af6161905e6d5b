/* A thread waits for a condition with two locks: it gives the outer one back first. */
#include "truth.h"
static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, total;
static void *waiter(void *arg)
{
	pthread_mutex_lock(&outer);
	total++;
	pthread_mutex_lock(&inner);
	pthread_mutex_unlock(&outer);
	while (!ready)
		pthread_cond_wait(&c, &inner);
	pthread_mutex_unlock(&inner);
	return arg;
}
int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		assert(!pthread_create(&t[i], NULL, waiter, NULL));
	pthread_mutex_lock(&outer);
	total++;
	pthread_mutex_lock(&inner);
	ready = 1;
	pthread_cond_broadcast(&c);
	pthread_mutex_unlock(&inner);
	pthread_mutex_unlock(&outer);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
