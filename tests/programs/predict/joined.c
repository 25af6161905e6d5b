/*
 * Two locks in two orders, but the first thread is joined before the second one is made: no
 * deadlock. The wrong one joins it later.
 *
 * expect: deadlock a,b acquire@forth acquire@back
 * harm: hang
 * order: creation
 *	forerun cc -g -O1 -pthread joined.c -o joined
 *	forerun record --order creation ./joined
 *	forerun predict
 * With -DFIXED it is correct, and forerun finds nothing.
 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *forth(void *arg)
{
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b); /* @forth */
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return arg;
}

static void *back(void *arg)
{
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a); /* @back */
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return arg;
}

int main(void)
{
	pthread_t t1, t2;

	pthread_create(&t1, NULL, forth, NULL);
#ifdef FIXED
	pthread_join(t1, NULL);
#endif
	pthread_create(&t2, NULL, back, NULL);
#ifndef FIXED
	pthread_join(t1, NULL);
#endif
	pthread_join(t2, NULL);
	return 0;
}
