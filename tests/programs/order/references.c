/*
 * An object has a reference for its creator only; a thread takes one after the last is gone.
 * The twin takes it for the thread before the thread starts.
 *
 * order: 0+,1,0
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int references = 1;

static void drop(void)
{
	pthread_mutex_lock(&lock);
	references--;
	pthread_mutex_unlock(&lock);
}

static void take(void)
{
	pthread_mutex_lock(&lock);
	assert(references > 0); /* @fails */
	references++;
	pthread_mutex_unlock(&lock);
}

static void *worker(void *arg)
{
#ifndef FIXED
	take();
#endif
	drop();
	return arg;
}

int main(void)
{
	pthread_t t;

#ifdef FIXED
	take();
#endif
	pthread_create(&t, NULL, worker, NULL);
	drop();
	pthread_join(t, NULL);
	return 0;
}
