/*
 * A reader-writer lock guards a length, which must be set before the reader comes.
 * The twin sets it before the threads start.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int length;

static void set(void)
{
	pthread_rwlock_wrlock(&lock);
	length = 3;
	pthread_rwlock_unlock(&lock);
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
	pthread_rwlock_rdlock(&lock);
	assert(length); /* @fails */
	pthread_rwlock_unlock(&lock);
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
