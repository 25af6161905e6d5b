/* Opposite order, but the second lock is given up after a while. */
#include "truth.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void go(pthread_mutex_t *x, pthread_mutex_t *y, int ms)
{
	for (;;) {
		struct timespec t;

		pthread_mutex_lock(x);
		clock_gettime(CLOCK_MONOTONIC, &t);
		t.tv_nsec += ms * 1000000;
		if (t.tv_nsec > 999999999) {
			t.tv_sec++;
			t.tv_nsec -= 1000000000;
		}
		int r = pthread_mutex_clocklock(y, CLOCK_MONOTONIC, &t);
		if (!r) {
			n++;
			pthread_mutex_unlock(y);
			pthread_mutex_unlock(x);
			return;
		}
		assert(r == ETIMEDOUT);
		pthread_mutex_unlock(x);
		usleep(ms * 700);
	}
}

static void *f(void *unused)
{
	for (int i = 0; i < 3; i++)
		go(&a, &b, 1);
	return unused;
}

static void *g(void *unused)
{
	for (int i = 0; i < 3; i++)
		go(&b, &a, 2);
	return unused;
}

int main(void)
{
	both(f, g, 0);
	return n != 6;
}
