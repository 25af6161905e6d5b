/*
 * An atomic flag says that the data is ready, before it is. Atomic accesses do not race with each
 * other; the data does.
 *
 * expect: data-race data write@write read@read
 * harm: output
 * order: creation
 *	forerun cc -g -O1 -pthread flag.c -o flag
 *	forerun record --order creation ./flag
 *	forerun predict
 * With -DFIXED it is correct, and forerun finds nothing.
 */
#include <pthread.h>
#include <stdio.h>

#include <stdatomic.h>

static atomic_int ready;
static int data;

static void *publish(void *arg)
{
#ifdef FIXED
	data = 42;
	atomic_store(&ready, 1);
#else
	atomic_store(&ready, 1);
	data = 42; /* @write */
#endif
	return arg;
}

static void *consume(void *arg)
{
	if (atomic_load(&ready))
		printf("%d\n", data); /* @read */
	return arg;
}

int main(void)
{
	pthread_t t1, t2;

	pthread_create(&t1, NULL, publish, NULL);
	pthread_create(&t2, NULL, consume, NULL);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	return 0;
}
