/*
 * Three locks, three threads, a ring.
 *
 * expect: deadlock a,b,c acquire@one acquire@two acquire@three
 * harm: hang
 * order: creation
 *	forerun cc -g -O1 -pthread three.c -o three
 *	forerun record --order creation ./three
 *	forerun predict
 * With -DFIXED it is correct, and forerun finds nothing.
 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER,
		       c = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *arg)
{
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b); /* @one */
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return arg;
}

static void *two(void *arg)
{
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&c); /* @two */
	pthread_mutex_unlock(&c);
	pthread_mutex_unlock(&b);
	return arg;
}

static void *three(void *arg)
{
#ifdef FIXED
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&c);
#else
	pthread_mutex_lock(&c);
	pthread_mutex_lock(&a); /* @three */
#endif
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&c);
	return arg;
}

int main(void)
{
	pthread_t t[3];

	pthread_create(&t[0], NULL, one, NULL);
	pthread_create(&t[1], NULL, two, NULL);
	pthread_create(&t[2], NULL, three, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
