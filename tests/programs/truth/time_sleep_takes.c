/* A sleep takes at least its time on every clock. */
#include "truth.h"
#include <sys/time.h>

static double now(clockid_t c)
{
	struct timespec t;

	clock_gettime(c, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void *work(void *unused)
{
	double a = now(CLOCK_MONOTONIC), b = now(CLOCK_REALTIME);
	struct timeval v, w;

	gettimeofday(&v, NULL);
	tick();
	usleep(8000);
	tick();
	gettimeofday(&w, NULL);
	assert(now(CLOCK_MONOTONIC) - a >= 0.0079);
	assert(now(CLOCK_REALTIME) - b >= 0.0079);
	assert((w.tv_sec - v.tv_sec) * 1000000 + w.tv_usec - v.tv_usec >= 7900);
	return unused;
}

int main(void)
{
	return beside_look(work);
}
