/*
 * Jobs are given to one of n workers before the number of workers is set.
 * The twin sets it before.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned workers, chosen;

static void *give(void *arg)
{
	unsigned n;

	pthread_mutex_lock(&lock);
	n = workers;
	pthread_mutex_unlock(&lock);
	chosen = 17 % n; /* @fails */
	return arg;
}

static void set(void)
{
	pthread_mutex_lock(&lock);
	workers = 4;
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	pthread_t t;

#ifdef FIXED
	set();
#endif
	pthread_create(&t, NULL, give, NULL);
#ifndef FIXED
	set();
#endif
	pthread_join(t, NULL);
	return 0;
}
