/*
 * A worker uses the pool that its creator stores after it has created the worker.
 * The twin stores it before.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct pool {
	int jobs;
};
struct pool *pool;

static void *worker(void *arg)
{
	pthread_mutex_lock(&lock);
	pool->jobs++; /* @use */
	pthread_mutex_unlock(&lock);
	return arg;
}

static void store(struct pool *p)
{
	pthread_mutex_lock(&lock);
	pool = p;
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	struct pool *p = calloc(1, sizeof(*p));
	pthread_t t;

#ifdef FIXED
	store(p);
#endif
	pthread_create(&t, NULL, worker, NULL);
#ifndef FIXED
	store(p);
#endif
	pthread_join(t, NULL);
	return 0;
}
