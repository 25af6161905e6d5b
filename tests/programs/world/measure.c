/*
 * Threads print their duration, their resource usage, or the number that pthread_self() returns in
 * them, as argv[1] says. All of it depends on the order of the threads. Correct. With BUGGY the
 * program also prints whether counts were lost. They are lost only in some interleavings.
 */
#define _GNU_SOURCE
#include "neighbour.h"
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static const char *what = "time";

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Resource usage only grows. */
static void usage(int who)
{
	struct rusage a, b;

	if (getrusage(who, &a) || getrusage(who, &b))
		abort();
	if (b.ru_minflt < a.ru_minflt || b.ru_nvcsw < a.ru_nvcsw || b.ru_maxrss < a.ru_maxrss ||
	    b.ru_utime.tv_sec < a.ru_utime.tv_sec)
		abort();
	printf("%ld faults, %ld switches, %ld us\n", b.ru_minflt, b.ru_nvcsw,
	       (long)b.ru_utime.tv_usec);
}

static void *work(void *arg)
{
	double start = now();

	tick();
	usleep(2000);
	tick();
	if (!strcmp(what, "hex"))
		printf("thread %lx is done\n", (unsigned long)pthread_self());
	else if (!strcmp(what, "decimal"))
		printf("thread %lu is done\n", (unsigned long)pthread_self());
	else if (!strcmp(what, "usage"))
		usage(RUSAGE_THREAD);
	else
		printf("done after %.6f s\n", now() - start);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t[3];

	what = argc > 1 ? argv[1] : what;
	pthread_create(&t[0], NULL, looks, NULL);
	pthread_create(&t[1], NULL, work, NULL);
	pthread_create(&t[2], NULL, work, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	if (!strcmp(what, "usage"))
		usage(RUSAGE_SELF);
#ifdef BUGGY
	puts(torn ? "torn" : "whole");
#endif
	return 0;
}
