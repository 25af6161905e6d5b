/*
 * A thread waits with a timeout until the work is done, and prints how often the timeout expired.
 */
#include "truth.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static int done, timeouts;

static void *work(void *unused)
{
	for (int i = 0; i < 3; i++) {
		usleep(400);
		pthread_mutex_lock(&lock);
		done++;
		pthread_cond_signal(&cond);
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

static void *await(void *unused)
{
	pthread_mutex_lock(&lock);
	while (done < 3) {
		struct timespec t;

		clock_gettime(CLOCK_REALTIME, &t);
		t.tv_nsec += 500000;
		t.tv_sec += t.tv_nsec / 1000000000;
		t.tv_nsec %= 1000000000;
		if (pthread_cond_timedwait(&cond, &lock, &t) == ETIMEDOUT)
			timeouts++;
	}
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	both(await, work, NULL);
	printf("%d of 3 done, %d timeouts\n", done, timeouts);
	return 0;
}
