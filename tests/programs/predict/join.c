/*
 * The result of a thread is read too early: before the join, not after it.
 *
 * expect: data-race result write@write read@read
 * harm: output
 * order: 0+,1,0
 *	forerun cc -g -O1 -pthread join.c -o join
 *	forerun record --order 0+,1,0 ./join
 *	forerun predict
 * With -DFIXED it is correct, and forerun finds nothing.
 */
#include <pthread.h>
#include <stdio.h>

static long result;

static void *compute(void *arg)
{
	result = 6 * 7; /* @write */
	return arg;
}

int main(void)
{
	pthread_t t;
	long seen;

	pthread_create(&t, NULL, compute, NULL);
#ifdef FIXED
	pthread_join(t, NULL);
	seen = result;
#else
	seen = result; /* @read */
	pthread_join(t, NULL);
#endif
	printf("%ld\n", seen);
	return 0;
}
