/*
 * A rwlock and a mutex in two orders. Two readers do not wait for each other: with the read side on
 * both it is right.
 *
 * expect: deadlock l,m acquire@forth acquire@back
 * harm: hang
 * order: creation
 *	forerun cc -g -O1 -pthread rwdead.c -o rwdead
 *	forerun record --order creation ./rwdead
 *	forerun predict
 * With -DFIXED it is correct, and forerun finds nothing.
 */
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *forth(void *arg)
{
	pthread_rwlock_rdlock(&l);
	pthread_mutex_lock(&m); /* @forth */
	pthread_mutex_unlock(&m);
	pthread_rwlock_unlock(&l);
	return arg;
}

static void *back(void *arg)
{
	pthread_mutex_lock(&m);
#ifdef FIXED
	pthread_rwlock_rdlock(&l);
#else
	pthread_rwlock_wrlock(&l); /* @back */
#endif
	pthread_rwlock_unlock(&l);
	pthread_mutex_unlock(&m);
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
