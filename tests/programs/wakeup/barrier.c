/*
 * A barrier by hand: threads count their arrival before they take the lock, and the last one wakes
 * the others without it.
 * order: 0,1,2
 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int arrived;

static void *arrives(void *arg)
{
#ifdef FIXED
	pthread_mutex_lock(&m);
#endif
	if (++arrived == 2) {
		pthread_cond_broadcast(&c); /* @signal */
	} else {
#ifndef FIXED
		pthread_mutex_lock(&m);
#endif
		while (arrived < 2)
			pthread_cond_wait(&c, &m); /* @wait */
#ifndef FIXED
		pthread_mutex_unlock(&m);
#endif
	}
#ifdef FIXED
	pthread_mutex_unlock(&m);
#endif
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, 0, arrives, 0);
	pthread_create(&b, 0, arrives, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
