/*
 * Each of two signals ends a wait without a flag. Both may come first, in either order.
 * order: creation
 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waits(void *arg)
{
	pthread_mutex_lock(&m);
#ifdef FIXED
	while (!ready)
#endif
		pthread_cond_wait(&c, &m); /* @wait */
	pthread_mutex_unlock(&m);
	return arg;
}

static void *signals(void *arg)
{
	pthread_mutex_lock(&m);
	ready = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	pthread_t a, b, d;

	pthread_create(&a, 0, waits, 0);
	pthread_create(&b, 0, signals, 0);
	pthread_create(&d, 0, signals, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	pthread_join(d, 0);
	return 0;
}
