/* A child that runs for a while: its end is not before its start by the clock. */
#include "truth.h"

static void *work(void *unused)
{
	struct timespec a, b;
	pid_t p;
	int st;

	tick();
	clock_gettime(CLOCK_MONOTONIC, &a);
	p = fork();
	if (p == 0) {
		usleep(15000);
		_exit(0);
	}
	assert(waitpid(p, &st, 0) == p && st == 0);
	clock_gettime(CLOCK_MONOTONIC, &b);
	assert(b.tv_sec > a.tv_sec || (b.tv_sec == a.tv_sec && b.tv_nsec >= a.tv_nsec));
	tick();
	return unused;
}

int main(void)
{
	return beside_look(work);
}
