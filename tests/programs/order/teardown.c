/*
 * Main tears down what a thread, which it does not join before, still uses.
 * The twin joins first.
 *
 * order: 0+,1,0
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int alive;

static void *worker(void *arg)
{
	pthread_mutex_lock(&lock);
	if (!alive)
		abort(); /* @fails */
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;

	alive = 1;
	pthread_create(&t, NULL, worker, NULL);
#ifdef FIXED
	pthread_join(t, NULL);
#endif
	pthread_mutex_lock(&lock);
	alive = 0;
	pthread_mutex_unlock(&lock);
#ifndef FIXED
	pthread_join(t, NULL);
#endif
	return 0;
}
