/*
 * Main stops the service while a worker may still be at work.
 * The twin stops it after the join.
 *
 * order: 0+,1,0
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int stopped;

static void *worker(void *arg)
{
	pthread_mutex_lock(&lock);
	assert(!stopped); /* @fails */
	pthread_mutex_unlock(&lock);
	return arg;
}

static void stop(void)
{
	pthread_mutex_lock(&lock);
	stopped = 1;
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
#ifndef FIXED
	stop();
#endif
	pthread_join(t, NULL);
	stop();
	return 0;
}
