/*
 * The producer says that the item is there, and makes it only then. The waiting itself is right.
 *
 * expect: data-race item write@write read@read
 * harm: output
 * order: 0,2,1
 *	forerun cc -g -O1 -pthread cond.c -o cond
 *	forerun record --order 0,2,1 ./cond
 *	forerun predict
 * With -DFIXED it is correct, and forerun finds nothing.
 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int ready, item;

static void *produce(void *arg)
{
#ifdef FIXED
	item = 7;
#endif
	pthread_mutex_lock(&m);
	ready = 1;
	pthread_cond_signal(&more);
	pthread_mutex_unlock(&m);
#ifndef FIXED
	item = 7; /* @write */
#endif
	return arg;
}

static void *consume(void *arg)
{
	pthread_mutex_lock(&m);
	while (!ready)
		pthread_cond_wait(&more, &m);
	pthread_mutex_unlock(&m);
	printf("%d\n", item); /* @read */
	return arg;
}

int main(void)
{
	pthread_t t1, t2;

	pthread_create(&t1, NULL, produce, NULL);
	pthread_create(&t2, NULL, consume, NULL);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	return 0;
}
