/*
 * Sleeps of different lengths: each takes at least its time, and a timed wait ends in time while a
 * long sleeper sleeps.
 */
#include "truth.h"
#include <semaphore.h>
static sem_t s;
static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}
static void *sleeper(void *unused)
{
	double a = now();

	(void)unused;
	usleep(20000);
	assert(now() - a >= 0.02);
	sem_post(&s);
	return NULL;
}
static void *waiter(void *unused)
{
	struct timespec t;
	int n = 0;

	(void)unused;
	do {
		clock_gettime(CLOCK_REALTIME, &t);
		t.tv_nsec += 5000000;
		if (t.tv_nsec >= 1000000000) {
			t.tv_nsec -= 1000000000;
			t.tv_sec++;
		}
		assert(++n < 100000);
	} while (sem_timedwait(&s, &t));
	return NULL;
}
int main(void)
{
	sem_init(&s, 0, 0);
	return both(sleeper, waiter, NULL);
}
