/*
 * Two threads share a structure. The right one has a field for each, side by side in the same eight
 * bytes.
 *
 * expect: data-race s.low write@one write@two
 * harm: output
 * order: creation
 * twin: writes another field
 *	forerun cc -g -O1 -pthread fields.c -o fields
 *	forerun record --order creation ./fields
 *	forerun predict
 * With -DFIXED it is correct, and forerun finds nothing.
 */
#include <pthread.h>
#include <stdio.h>

static struct {
	int low, high;
} s;

static void *first(void *arg)
{
	s.low = 1; /* @one */
	return arg;
}

static void *second(void *arg)
{
#ifdef FIXED
	s.high = 2;
#else
	s.low = 2; /* @two */
#endif
	return arg;
}

int main(void)
{
	pthread_t t1, t2;

	pthread_create(&t1, NULL, first, NULL);
	pthread_create(&t2, NULL, second, NULL);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	printf("%d %d\n", s.low, s.high);
	return 0;
}
