/* Short timed waits in a loop until the answer comes. */
#include "truth.h"

static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, timeouts;

static void *waiter(void *unused)
{
	pthread_mutex_lock(&truth_lock);
	while (!ready) {
		struct timespec t;

		clock_gettime(CLOCK_REALTIME, &t);
		t.tv_nsec += 1000000;
		t.tv_sec += t.tv_nsec / 1000000000;
		t.tv_nsec %= 1000000000;
		timeouts += pthread_cond_timedwait(&c, &truth_lock, &t) == ETIMEDOUT;
	}
	pthread_mutex_unlock(&truth_lock);
	return unused;
}

static void *setter(void *unused)
{
	usleep(4000);
	pthread_mutex_lock(&truth_lock);
	ready = 1;
	pthread_mutex_unlock(&truth_lock); /* without a signal: the waiter looks again */
	return unused;
}

int main(void)
{
	return both(waiter, setter, NULL);
}
