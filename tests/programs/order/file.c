/*
 * A file is written by one thread and closed by another, each in a lock region.
 * The twin closes it after the writer has ended.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int is_open, bytes;

static void *first(void *arg)
{
	pthread_mutex_lock(&lock);
	assert(is_open); /* @fails */
	bytes += 10;
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *second(void *arg)
{
#ifdef FIXED
	pthread_join(*(pthread_t *)arg, NULL);
#endif
	pthread_mutex_lock(&lock);
	is_open = 0;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	is_open = 1;
	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, &a);
#ifndef FIXED
	pthread_join(a, NULL);
#endif
	pthread_join(b, NULL);
	return 0;
}
