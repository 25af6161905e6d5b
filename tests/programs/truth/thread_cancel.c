/* A cancelled thread releases its lock in a clean-up handler. */
#include "truth.h"

static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waiting, cleaned;

static void clean(void *unused)
{
	(void)unused;
	cleaned++;
	pthread_mutex_unlock(&truth_lock);
}

static void *work(void *unused)
{
	pthread_mutex_lock(&truth_lock);
	pthread_cleanup_push(clean, NULL);
	waiting = 1;
	pthread_cond_broadcast(&c);
	for (;;)
		pthread_cond_wait(&c, &truth_lock);
	pthread_cleanup_pop(1);
	return unused;
}

int main(void)
{
	pthread_t t;
	void *r;

	pthread_create(&t, NULL, work, NULL);
	pthread_mutex_lock(&truth_lock);
	while (!waiting)
		pthread_cond_wait(&c, &truth_lock);
	pthread_mutex_unlock(&truth_lock);
	pthread_cancel(t);
	pthread_join(t, &r);
	return r != PTHREAD_CANCELED || cleaned != 1;
}
