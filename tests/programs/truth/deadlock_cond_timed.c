/* A lock held over pthread_cond_timedwait() on another mutex; the signaller wants the first lock.
 */
#include "truth.h"

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *signaller(void *unused)
{
	pthread_mutex_lock(&outer);
	pthread_mutex_unlock(&outer);
	pthread_mutex_lock(&truth_lock);
	ready = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&truth_lock);
	return unused;
}

static void *waiter(void *unused)
{
	int seen = 0;

	while (!seen) {
		struct timespec ts;

		pthread_mutex_lock(&outer);
		pthread_mutex_lock(&truth_lock);
		clock_gettime(CLOCK_REALTIME, &ts);
		ts.tv_sec += (ts.tv_nsec + 1000000) / 1000000000;
		ts.tv_nsec = (ts.tv_nsec + 1000000) % 1000000000;
		if (!ready)
			pthread_cond_timedwait(&c, &truth_lock, &ts);
		seen = ready;
		pthread_mutex_unlock(&truth_lock);
		pthread_mutex_unlock(&outer);
		sched_yield();
	}
	return unused;
}

int main(void)
{
	return both(waiter, signaller, NULL);
}
