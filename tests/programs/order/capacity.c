/*
 * A thread divides by a capacity that another thread sets.
 * The twin sets it before the threads start.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int capacity, slot;

static void set(void)
{
	pthread_mutex_lock(&lock);
	capacity = 16;
	pthread_mutex_unlock(&lock);
}

static void *first(void *arg)
{
#ifndef FIXED
	set();
#endif
	return arg;
}

static void *second(void *arg)
{
	pthread_mutex_lock(&lock);
	slot = 1000 / capacity; /* @fails */
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

#ifdef FIXED
	set();
#endif
	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
