/* Two looks with the clock in between: later looks have later times. */
#include "truth.h"

static struct timespec stamp;
static int seen;

static int before(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec < b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec <= b->tv_nsec);
}

static void *work(void *unused)
{
	for (int i = 0; i < 4; i++) {
		struct timespec now, old;

		pthread_mutex_lock(&truth_lock);
		old = stamp;
		pthread_mutex_unlock(&truth_lock);
		pthread_mutex_lock(&truth_lock);
		clock_gettime(CLOCK_MONOTONIC, &now);
		assert(before(&old, &now) && before(&stamp, &now));
		stamp = now;
		seen++;
		pthread_mutex_unlock(&truth_lock);
	}
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	return seen != 8;
}
