/*
 * Two phases with a barrier between them; one thread looks at the other's result in the first phase
 * already.
 *
 * expect: data-race left write@write read@read
 * harm: output
 * order: creation
 *	forerun cc -g -O1 -pthread barrier.c -o barrier
 *	forerun record --order creation ./barrier
 *	forerun predict
 * With -DFIXED it is correct, and forerun finds nothing.
 */
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t b;
static long left, right;

static void *one(void *arg)
{
	left = 1; /* @write */
	pthread_barrier_wait(&b);
	printf("%ld\n", right);
	return arg;
}

static void *two(void *arg)
{
	long seen;

	right = 2;
#ifdef FIXED
	pthread_barrier_wait(&b);
	seen = left;
#else
	seen = left; /* @read */
	pthread_barrier_wait(&b);
#endif
	printf("%ld\n", seen);
	return arg;
}

int main(void)
{
	pthread_t t1, t2;

	pthread_barrier_init(&b, NULL, 2);
	pthread_create(&t1, NULL, one, NULL);
	pthread_create(&t2, NULL, two, NULL);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	return 0;
}
