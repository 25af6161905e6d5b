/*
 * A flag that is set and reset. A thread that reads 0 may have come before the flag was ever set.
 * Only the initial value of the flag shows that.
 *
 * expect: data-race sum write@first write@second
 * harm: output
 * order: creation
 *	forerun cc -g -O1 -pthread reset.c -o reset
 *	forerun record --order creation ./reset
 *	forerun predict
 * With -DFIXED it is correct, and forerun finds nothing.
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
