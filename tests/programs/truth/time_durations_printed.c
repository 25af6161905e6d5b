/* Threads print how long they took. */
#include "truth.h"

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

static void *work(void *unused)
{
	double s = now();

	tick();
	usleep(2000);
	for (int i = 0; i < 3; i++)
		tick();
	double d = now() - s;
	assert(d >= 0.002);
	printf("worker took %.6f s\n", d);
	return unused;
}

int main(void)
{
	double s = now();
	pthread_t l;

	pthread_create(&l, 0, truth_looker, 0);
	both(work, work, 0);
	pthread_join(l, 0);
	printf("all took %.3f ms at %ld\n", (now() - s) * 1e3, (long)time(0));
	return 0;
}
