/* Cancellation ends a long sleep; cancellation is disabled while the thread changes data. */
#include "truth.h"

static int steps;

static void *work(void *unused)
{
	int old;

	for (;;) {
		pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
		pthread_mutex_lock(&truth_lock);
		steps++;
		pthread_mutex_unlock(&truth_lock);
		pthread_setcancelstate(old, NULL);
		sleep(100);
	}
	return unused;
}

int main(void)
{
	pthread_t t;
	void *r;

	pthread_create(&t, NULL, work, NULL);
	tick();
	pthread_cancel(t);
	pthread_join(t, &r);
	return r != PTHREAD_CANCELED;
}
