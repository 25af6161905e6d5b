/*
 * A computation in rounds, two threads, a barrier between the rounds; the one after the last round
 * is missing, and the first thread adds up what the second one may still be computing.
 *
 * expect: data-race part[] write@store read@add
 * harm: assert
 * order: 0,2,1
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define ROUNDS 4

static pthread_barrier_t barrier;
static long cell[2] = {1, 2}, part[2];

static void step(int me, int round)
{
	long left = cell[me], right = cell[1 - me];

	pthread_barrier_wait(&barrier);
	cell[me] = left + 2 * right + round;
	pthread_barrier_wait(&barrier);
}

static void *first(void *arg)
{
	for (int i = 0; i < ROUNDS; i++)
		step(0, i);
	part[0] = cell[0];
#ifdef FIXED
	pthread_barrier_wait(&barrier);
#endif
	*(long *)arg = part[0] + part[1]; /* @add */
	return NULL;
}

static void *second(void *arg)
{
	for (int i = 0; i < ROUNDS; i++)
		step(1, i);
	part[1] = cell[1]; /* @store */
#ifdef FIXED
	pthread_barrier_wait(&barrier);
#endif
	return arg;
}

int main(void)
{
	pthread_t t1, t2;
	long sum = 0;

	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&t1, NULL, first, &sum);
	pthread_create(&t2, NULL, second, NULL);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	assert(sum == 279);
	return 0;
}
