/*
 * The flag is tested before the mutex is taken, and not again.
 * order: creation
 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int done;

static void *waits(void *arg)
{
	if (!done) {
		pthread_mutex_lock(&m);
#ifdef FIXED
		while (!done)
#endif
			pthread_cond_wait(&c, &m); /* @wait */
		pthread_mutex_unlock(&m);
	}
	return arg;
}

static void *works(void *arg)
{
	pthread_mutex_lock(&m);
	done = 1;
	pthread_cond_broadcast(&c); /* @signal */
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, 0, waits, 0);
	pthread_create(&b, 0, works, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
