/*
 * Two locks in two orders, behind a gate that lets one thread in: no deadlock, though lock-order
 * tools say so. The wrong one forgets the gate on one side.
 *
 * expect: deadlock a,b acquire@forth acquire@back
 * harm: hang
 * order: creation
 *	forerun cc -g -O1 -pthread gate.c -o gate
 *	forerun record --order creation ./gate
 *	forerun predict
 * With -DFIXED it is correct, and forerun finds nothing.
 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER, a = PTHREAD_MUTEX_INITIALIZER,
		       b = PTHREAD_MUTEX_INITIALIZER;

static void *forth(void *arg)
{
	pthread_mutex_lock(&gate);
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b); /* @forth */
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&gate);
	return arg;
}

static void *back(void *arg)
{
#ifdef FIXED
	pthread_mutex_lock(&gate);
#endif
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a); /* @back */
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
#ifdef FIXED
	pthread_mutex_unlock(&gate);
#endif
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
