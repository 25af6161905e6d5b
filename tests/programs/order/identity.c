/*
 * A thread compares itself with the thread that its creator has stored, which may happen later.
 * The twin creates the thread while it holds the lock.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t owner;

static void *worker(void *arg)
{
	pthread_mutex_lock(&lock);
	assert(pthread_equal(owner, pthread_self())); /* @fails */
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;

#ifdef FIXED
	pthread_mutex_lock(&lock);
#endif
	pthread_create(&t, NULL, worker, NULL);
#ifndef FIXED
	pthread_mutex_lock(&lock);
#endif
	owner = t;
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	return 0;
}
