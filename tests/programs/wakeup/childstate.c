/*
 * A parent waits for its child; the state variable is set and tested without the mutex.
 * order: 0,1,0
 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int done;

static void *child(void *arg)
{
#ifdef FIXED
	pthread_mutex_lock(&m);
#endif
	done = 1;
	pthread_cond_signal(&c); /* @signal */
#ifdef FIXED
	pthread_mutex_unlock(&m);
#endif
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, 0, child, 0);
	pthread_mutex_lock(&m);
	if (!done)
		pthread_cond_wait(&c, &m); /* @wait */
	pthread_mutex_unlock(&m);
	pthread_join(t, 0);
	return 0;
}
