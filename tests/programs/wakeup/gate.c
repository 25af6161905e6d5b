/*
 * A gate that is opened with one signal, although two threads may wait. In the recorded run, the
 * second comes late.
 * order: 0,1,3,2
 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int open;

static void *passes(void *arg)
{
	pthread_mutex_lock(&m);
	while (!open)
		pthread_cond_wait(&c, &m); /* @wait */
	pthread_mutex_unlock(&m);
	return arg;
}

static void *opens(void *arg)
{
	pthread_mutex_lock(&m);
	open = 1;
#ifdef FIXED
	pthread_cond_broadcast(&c);
#else
	pthread_cond_signal(&c);
#endif
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	pthread_t a, b, o;

	pthread_create(&a, 0, passes, 0);
	pthread_create(&b, 0, passes, 0);
	pthread_create(&o, 0, opens, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	pthread_join(o, 0);
	return 0;
}
