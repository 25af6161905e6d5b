/* One thread sleeps and never asks for the time. Another asks without sleeping. If it asks after the sleep, it must not
   get a time from before its end. */
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static volatile int x; /* the race: a target for a schedule */
static volatile int slept; /* its hook comes after the sleep */
static volatile double asked;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void *asks(void *arg)
{
	asked = now();
	x = 1;
	return arg;
}

static void *sleeps(void *arg)
{
	usleep(300000);
	slept = 1;
	x = 2;
	return arg;
}

int main(void)
{
	pthread_t a, b;
	double start = now();

	pthread_create(&a, NULL, asks, NULL);
	pthread_create(&b, NULL, sleeps, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	puts(asked - start >= 0.3 ? "asked after the sleep" : "asked before its end");
	return 0;
}
