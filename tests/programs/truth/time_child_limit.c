/* A child that takes a while, and a limit that is not reached. */
#include "truth.h"
#include <poll.h>

static void *work(void *unused)
{
	tick();
	pid_t c = fork();
	if (!c) {
		struct timespec z = {0, 50000000};

		nanosleep(&z, 0);
		_exit(0);
	}
	struct timespec s, n;
	clock_gettime(CLOCK_MONOTONIC, &s);
	int st;
	for (;;) {
		pid_t r = waitpid(c, &st, WNOHANG);

		if (r == c)
			break;
		clock_gettime(CLOCK_MONOTONIC, &n);
		if (n.tv_sec - s.tv_sec > 10) {
			kill(c, SIGKILL);
			waitpid(c, &st, 0);
			fprintf(stderr, "timeout\n");
			exit(1);
		}
		poll(0, 0, 10);
	}
	assert(st == 0);
	tick();
	return unused;
}

int main(void)
{
	return beside_look(work);
}
