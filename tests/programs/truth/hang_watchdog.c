/* A watchdog thread is fed in time. */
#include "truth.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c;
static struct timespec dl;
static int stop;

static void feed(void)
{
	pthread_mutex_lock(&m);
	clock_gettime(CLOCK_MONOTONIC, &dl);
	dl.tv_sec += 10;
	pthread_mutex_unlock(&m);
}

static void *dog(void *unused)
{
	pthread_mutex_lock(&m);
	while (!stop) {
		struct timespec d = dl, n;
		int r = pthread_cond_timedwait(&c, &m, &d);

		if (r == ETIMEDOUT) {
			clock_gettime(CLOCK_MONOTONIC, &n);
			assert(n.tv_sec < dl.tv_sec ||
			       (n.tv_sec == dl.tv_sec && n.tv_nsec < dl.tv_nsec));
		}
	}
	pthread_mutex_unlock(&m);
	return unused;
}

static void *work(void *unused)
{
	for (int i = 0; i < 4; i++) {
		feed();
		tick();
		usleep(3000);
		assert(look());
	}
	pthread_mutex_lock(&m);
	stop = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return unused;
}

int main(void)
{
	pthread_condattr_t a;
	pthread_condattr_init(&a);
	pthread_condattr_setclock(&a, CLOCK_MONOTONIC);
	pthread_cond_init(&c, &a);
	feed();
	return both(dog, work, 0);
}
