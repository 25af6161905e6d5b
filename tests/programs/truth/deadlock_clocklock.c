/* Opposite lock orders with pthread_mutex_clocklock(). */
#include "truth.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x;

static int lock_soon(pthread_mutex_t *m)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	ts.tv_nsec += 2000000;
	ts.tv_sec += ts.tv_nsec / 1000000000;
	ts.tv_nsec %= 1000000000;
	return pthread_mutex_clocklock(m, CLOCK_MONOTONIC, &ts);
}

static void take(pthread_mutex_t *first, pthread_mutex_t *second, int pause)
{
	for (;;) {
		pthread_mutex_lock(first);
		if (lock_soon(second) == 0)
			break;
		pthread_mutex_unlock(first);
		usleep(pause);
	}
	x++;
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
}

static void *one(void *unused)
{
	take(&a, &b, 500);
	return unused;
}

static void *two(void *unused)
{
	take(&b, &a, 3000);
	return unused;
}

int main(void)
{
	both(one, two, NULL);
	return x != 2;
}
