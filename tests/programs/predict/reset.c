/*
 * A flag that is set and taken back: who finds it down may have come before it was ever set. Nothing but the value that it had
 * when the program started says so.
 *
 * expect: data-race sum write@first write@second
 * harm: output
 * order: creation
 *	forerun cc -g -O1 -pthread reset.c -o reset
 *	forerun record --order creation ./reset
 *	forerun predict
 * With -DFIXED it is right, and there is nothing to be found.
 */
#include <pthread.h>
#include <stdio.h>

#ifdef FIXED
#define OVER 2
#else
#define OVER 0
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int busy;
int sum;

static void set(int value)
{
	pthread_mutex_lock(&m);
	busy = value;
	pthread_mutex_unlock(&m);
}

static void *first(void *arg)
{
	set(1);
	sum = 10; /* @first */
	set(OVER);
	return arg;
}

static void *second(void *arg)
{
	int seen;

	pthread_mutex_lock(&m);
	seen = busy;
	pthread_mutex_unlock(&m);
	if (seen == OVER)
		sum = 20; /* @second */
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%d\n", sum);
	return 0;
}
