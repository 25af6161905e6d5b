/*
 * Two locks in two orders.
 *
 * expect: deadlock a,b acquire@forth acquire@back
 * harm: hang
 * order: creation
 *	forerun cc -g -O1 -pthread abba.c -o abba
 *	forerun record --order creation ./abba
 *	forerun predict
 * With -DFIXED it is correct, and forerun finds nothing.
 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static long n;

static void *forth(void *arg)
{
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b); /* @forth */
	n++;
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return arg;
}

static void *back(void *arg)
{
#ifdef FIXED
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
#else
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a); /* @back */
#endif
	n++;
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return arg;
}

int main(void)
{
	pthread_t t1, t2;

	pthread_create(&t1, NULL, forth, NULL);
	pthread_create(&t2, NULL, back, NULL);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	return 0;
}
