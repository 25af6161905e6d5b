/*
 * main sleeps instead of waiting for a worker, and returns a failure if the work is missing.
 * The twin waits.
 *
 * order: creation
 * harm: exit
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *works(void *arg)
{
	pthread_mutex_lock(&lock);
	done = 5;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;
	int seen;

	pthread_create(&t, NULL, works, NULL);
#ifdef FIXED
	pthread_join(t, NULL);
#else
	sched_yield();
#endif
	pthread_mutex_lock(&lock);
	seen = done;
	pthread_mutex_unlock(&lock);
	if (seen != 5) {
		fprintf(stderr, "only %d of 5\n", seen);
		return 1; /* @fails */
	}
#ifndef FIXED
	pthread_join(t, NULL);
#endif
	return 0;
}
