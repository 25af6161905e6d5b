/*
 * An object is made when it is first needed: by the first thread that does not find it, or by
 * pthread_once. Its content does not race in either case, because no thread finds it before it is
 * complete.
 *
 * expect: data-race table write@write read@check
 * harm: none seen
 * order: creation
 *	forerun cc -g -O1 -pthread once.c -o once
 *	forerun record --order creation ./once
 *	forerun predict
 * With -DFIXED it is correct, and forerun finds nothing.
 */
#include <pthread.h>
#include <stdio.h>

#include <stdlib.h>

long *table; /* not static: clang would make a flag of it */
#ifdef FIXED
static pthread_once_t once = PTHREAD_ONCE_INIT;
#endif

static void make(void)
{
	long *t = malloc(sizeof(*t));

	*t = 5;
	table = t; /* @write */
}

static void *need(void *arg)
{
#ifdef FIXED
	pthread_once(&once, make);
#else
	if (!table) /* @check */
		make();
#endif
	printf("%ld\n", *table);
	return arg;
}

int main(void)
{
	pthread_t t1, t2;

	pthread_create(&t1, NULL, need, NULL);
	pthread_create(&t2, NULL, need, NULL);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	return 0;
}
