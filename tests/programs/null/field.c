/*
 * A field of an object from calloc: one thread sets it, the other uses it.
 * The twin sets it before the threads start.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct job {
	int id;
	int *result;
};
struct job *job;

static void set(void)
{
	int *p = malloc(sizeof(*p));

	*p = 0;
	pthread_mutex_lock(&lock);
	job->result = p;
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
	*job->result = 7; /* @use */
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	job = calloc(1, sizeof(*job));
#ifdef FIXED
	set();
#endif
	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
