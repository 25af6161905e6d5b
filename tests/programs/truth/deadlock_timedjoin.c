/*
 * main joins with a deadline while it holds the lock that the worker wants.
 *
 * options: --order 0+,1,0
 */
#include "truth.h"

static int x;

static void *work(void *unused)
{
	pthread_mutex_lock(&truth_lock);
	x++;
	pthread_mutex_unlock(&truth_lock);
	return unused;
}

int main(void)
{
	struct timespec ts;
	pthread_t t;
	int r;

	pthread_create(&t, NULL, work, NULL);
	pthread_mutex_lock(&truth_lock);
	x++;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	ts.tv_nsec += 4000000;
	ts.tv_sec += ts.tv_nsec / 1000000000;
	ts.tv_nsec %= 1000000000;
	r = pthread_clockjoin_np(t, NULL, CLOCK_MONOTONIC, &ts);
	pthread_mutex_unlock(&truth_lock);
	if (r)
		assert(r == ETIMEDOUT && pthread_join(t, NULL) == 0);
	return x != 2;
}
