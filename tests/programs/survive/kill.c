/*
 * Threads work on shared data for ever; the given number of microseconds after the first has begun,
 * a timer of the kernel's sends SIGKILL, so that they die wherever they are. Each worker writes 1,
 * 2, 3, ... into its own place of `progress`, which the other reads: in the trace, the values of a
 * worker's writes have no gap.
 */
#include "survive.h"
#include <signal.h>
#include <time.h>

static volatile long progress[2];
static struct itimerspec when;
static timer_t timer;

static void *worker(void *arg)
{
	long self = (long)arg;

	if (!self && timer_settime(timer, 0, &when, NULL))
		_exit(99);
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

	progress[0] = progress[1] = 0;
	when.it_value = (struct timespec){.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000 + 1};
	if (timer_create(CLOCK_MONOTONIC, &kill_us, &timer))
		return 99;
	start(worker, (void *)0);
	start(worker, (void *)1);
	for (;;)
		pause();
}
