/*
 * A semaphore as a mutex: with a count of two it lets two in.
 *
 * expect: data-race n read@add write@add
 * expect: data-race n write@add write@add
 * harm: output
 * order: creation
 * (Only the tier sliced lets the two writes meet: the value that the second thread has read does
 * not matter.)
 *	forerun cc -g -O1 -pthread sem.c -o sem
 *	forerun record --order creation ./sem
 *	forerun predict
 * With -DFIXED it is correct, and forerun finds nothing.
 */
#include <pthread.h>
#include <stdio.h>

#include <semaphore.h>

#ifdef FIXED
#define COUNT 1
#else
#define COUNT 2
#endif

static sem_t s;
static long n;

static void *enter(void *arg)
{
	sem_wait(&s);
	n += 2; /* @add */
	sem_post(&s);
	return arg;
}

int main(void)
{
	pthread_t t1, t2;

	sem_init(&s, 0, COUNT);
	pthread_create(&t1, NULL, enter, NULL);
	pthread_create(&t2, NULL, enter, NULL);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	printf("%ld\n", n);
	return 0;
}
