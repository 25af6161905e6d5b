/*
 * A thread waits a short time with a lock that the setter needs first, gives it back and tries
 * again.
 */
#include "truth.h"
static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, count;
static void *setter(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&outer);
	count++;
	pthread_mutex_unlock(&outer);
	pthread_mutex_lock(&m);
	ready = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return NULL;
}
static void *waiter(void *unused)
{
	int r = 0;

	(void)unused;
	while (!r) {
		struct timespec t;

		pthread_mutex_lock(&outer);
		pthread_mutex_lock(&m);
		clock_gettime(CLOCK_REALTIME, &t);
		t.tv_sec += 1;
		if (!ready)
			pthread_cond_timedwait(&c, &m, &t);
		r = ready;
		pthread_mutex_unlock(&m);
		pthread_mutex_unlock(&outer);
	}
	return NULL;
}
int main(void)
{
	both(setter, waiter, NULL);
	assert(count == 1);
	return 0;
}
