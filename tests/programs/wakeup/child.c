/*
 * A parent waits for its child without a state variable: the child may be faster.
 * order: 0,1,0
 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int done;

static void thr_exit(void)
{
	pthread_mutex_lock(&m);
	done = 1;
	pthread_cond_signal(&c); /* @signal */
	pthread_mutex_unlock(&m);
}

static void thr_join(void)
{
	pthread_mutex_lock(&m);
#ifdef FIXED
	while (!done)
#endif
		pthread_cond_wait(&c, &m); /* @wait */
	pthread_mutex_unlock(&m);
}

static void *child(void *arg)
{
	thr_exit();
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, 0, child, 0);
	thr_join();
	pthread_join(t, 0);
	return 0;
}
