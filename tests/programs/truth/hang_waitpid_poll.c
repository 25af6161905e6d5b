/* WNOHANG with a generous deadline by the clock. */
#include "truth.h"

static pid_t child;

static void *work(void *unused)
{
	struct timespec s, n;
	int st;

	tick();
	clock_gettime(CLOCK_MONOTONIC, &s);
	while (waitpid(child, &st, WNOHANG) != child) {
		clock_gettime(CLOCK_MONOTONIC, &n);
		assert(n.tv_sec - s.tv_sec < 30);
		usleep(2000);
	}
	tick();
	return unused;
}

int main(void)
{
	child = fork();
	if (child == 0) {
		usleep(40000);
		_exit(0);
	}
	return beside_look(work);
}
