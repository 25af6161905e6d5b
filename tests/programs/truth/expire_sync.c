/*
 * Waits with a deadline of many seconds that another thread ends at once: no timeout comes first.
 */
#include "truth.h"
#include <semaphore.h>
static sem_t s;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, l = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
static struct timespec later(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_sec += 30;
	return t;
}
static void *giver(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&l);
	tick();
	sem_post(&s);
	pthread_mutex_unlock(&l);
	usleep(2000);
	pthread_mutex_lock(&m);
	ready = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	usleep(2000);
	return NULL;
}
int main(void)
{
	struct timespec t = later();
	pthread_t g;
	int r = 0;

	sem_init(&s, 0, 0);
	pthread_create(&g, NULL, giver, NULL);
	assert(!sem_timedwait(&s, &t));
	assert(!pthread_mutex_timedlock(&l, &t));
	pthread_mutex_unlock(&l);
	pthread_mutex_lock(&m);
	while (!ready && !r)
		r = pthread_cond_timedwait(&c, &m, &t);
	assert(ready && !r);
	pthread_mutex_unlock(&m);
	assert(!pthread_timedjoin_np(g, NULL, &t));
	return 0;
}
