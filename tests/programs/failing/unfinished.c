/*
 * main looks too early whether a worker has finished. Nothing but the failure depends on what it
 * sees.
 * The twin waits first.
 *
 * order: creation
 * harm: exit
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int finished;

static void *works(void *arg)
{
	pthread_mutex_lock(&lock);
	finished = 1;
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
	seen = finished;
	pthread_mutex_unlock(&lock);
#ifndef FIXED
	pthread_join(t, NULL);
#endif
	if (!seen) {
		fputs("not finished\n", stderr);
		return 1; /* @fails */
	}
	return 0;
}
