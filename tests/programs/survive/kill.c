/*
 * Threads work on shared data for ever; the given number of microseconds after they have begun, a timer of the
 * kernel's sends SIGKILL, so that they die wherever they are. Each worker writes 1, 2, 3, ... into
 * its own place of `progress`, which the other reads: in the trace, the values of a worker's writes have no gap.
 */
#include "survive.h"
#include <signal.h>
#include <time.h>

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
	long us = argc > 1 ? atol(argv[1]) : 1000;
	struct sigevent kill_us = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
	struct itimerspec when = {.it_value = {.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000 + 1}};
	timer_t timer;

	progress[0] = progress[1] = 0;
	start(worker, (void *)0);
	if (timer_create(CLOCK_MONOTONIC, &kill_us, &timer) || timer_settime(timer, 0, &when, NULL))
		return 99;
	start(worker, (void *)1);
	for (;;)
		pause();
}
