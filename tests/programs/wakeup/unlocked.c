/*
 * The flag is set and the signal sent without the mutex: both may fall between the test and the
 * wait.
 * order: creation
 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void *waits(void *arg)
{
	pthread_mutex_lock(&m);
	while (!ready)
		pthread_cond_wait(&c, &m); /* @wait */
	pthread_mutex_unlock(&m);
	return arg;
}

static void *signals(void *arg)
{
#ifdef FIXED
	pthread_mutex_lock(&m);
	ready = 1;
	pthread_mutex_unlock(&m);
#else
	ready = 1;
#endif
	pthread_cond_signal(&c); /* @signal */
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, 0, waits, 0);
	pthread_create(&b, 0, signals, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
