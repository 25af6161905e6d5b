/*
 * A word, and the last two bytes of it: accesses of different sizes that overlap. The right one
 * writes the first half.
 *
 * expect: data-race u.word|u.part[] write@word write@part
 * harm: none seen
 * order: creation
 *	forerun cc -g -O1 -pthread overlap.c -o overlap
 *	forerun record --order creation ./overlap
 *	forerun predict
 * With -DFIXED it is correct, and forerun finds nothing.
 */
#include <pthread.h>
#include <stdio.h>

#include <stdint.h>

static union {
	uint64_t word;
	uint32_t half[2];
	uint16_t part[4];
} u;

static void *first(void *arg)
{
#ifdef FIXED
	u.half[0] = 1;
#else
	u.word = 1; /* @word */
#endif
	return arg;
}

static void *second(void *arg)
{
	u.part[3] = 2; /* @part */
	return arg;
}

int main(void)
{
	pthread_t t1, t2;

	pthread_create(&t1, NULL, first, NULL);
	pthread_create(&t2, NULL, second, NULL);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	printf("%x\n", u.half[0]);
	return 0;
}
