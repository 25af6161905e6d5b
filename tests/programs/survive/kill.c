/*
 * Threads work on shared data for ever; after the given number of microseconds the process kills itself with
 * SIGKILL from another thread, so that all of them die wherever they are. Each worker writes 1, 2, 3, ... into
 * its own place of `progress`, which the other reads: in the trace, the values of a worker's writes have no gap.
 */
#include "survive.h"
#include <signal.h>

static volatile long progress[2];

static void *worker(void *arg)
{
	long self = (long)arg;

	for (long n = 1;; n++) {
		progress[self] = n;
		if (progress[!self] < 0)
			break;
		if (n % 16 == 0)
			shared_add(1);
		if (n % 64 == 0)
			free(malloc(24));
	}
	return NULL;
}

int main(int argc, char **argv)
{
	useconds_t us = argc > 1 ? (useconds_t)atoi(argv[1]) : 1000;

	progress[0] = progress[1] = 0;
	start(worker, (void *)0);
	start(worker, (void *)1);
	usleep(us);
	kill(getpid(), SIGKILL);
	for (;;)
		pause();
}
