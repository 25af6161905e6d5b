/*
 * A race that is ordered by luck of the lock order: the first thread writes before it takes the lock, the second
 * reads after it gave the lock back, and in the recorded run the first one was first. Race detectors that follow
 * happens-before are silent in every run of this kind.
 *
 * expect: data-race x write@write read@read
 * harm: output
 * order: creation
 *	forerun cc -g -O1 -pthread hidden.c -o hidden
 *	forerun record --order creation ./hidden
 *	forerun predict
 * With -DFIXED it is right, and there is nothing to be found.
 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long x, mine, yours;

static void *first(void *arg)
{
#ifdef FIXED
	pthread_mutex_lock(&m);
	x = 1;
#else
	x = 1; /* @write */
	pthread_mutex_lock(&m);
#endif
	mine++;
	pthread_mutex_unlock(&m);
	return arg;
}

static void *second(void *arg)
{
	long seen;

	pthread_mutex_lock(&m);
	yours++;
#ifdef FIXED
	seen = x;
	pthread_mutex_unlock(&m);
#else
	pthread_mutex_unlock(&m);
	seen = x; /* @read */
#endif
	printf("%ld\n", seen);
	return arg;
}

int main(void)
{
	pthread_t t1, t2;

	pthread_create(&t1, NULL, first, NULL);
	pthread_create(&t2, NULL, second, NULL);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	return 0;
}
