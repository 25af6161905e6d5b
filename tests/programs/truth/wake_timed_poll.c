/*
 * A waiter without a predicate under the lock wakes by a timeout and looks again: no wakeup is
 * needed.
 */
#include "truth.h"
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int done;
static void *waiter(void *arg)
{
	pthread_mutex_lock(&m);
	while (!atomic_load(&done)) {
		struct timespec ts;

		clock_gettime(CLOCK_REALTIME, &ts);
		ts.tv_nsec += 2000000;
		if (ts.tv_nsec >= 1000000000) {
			ts.tv_nsec -= 1000000000;
			ts.tv_sec++;
		}
		pthread_cond_timedwait(&c, &m, &ts);
	}
	pthread_mutex_unlock(&m);
	return arg;
}
int main(void)
{
	pthread_t t;

	assert(!pthread_create(&t, NULL, waiter, NULL));
	atomic_store(&done, 1);
	pthread_cond_signal(&c); /* may come between the check and the wait */
	pthread_join(t, NULL);
	return 0;
}
