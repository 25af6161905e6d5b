/*
 * Five clients, each with a lease on one resource while it asks for the next. Before that: a robust
 * mutex whose owner ends without giving it up; the next one repairs it.
 *
 * expect: deadlock * acquire@more acquire@more acquire@more acquire@more acquire@more
 * harm: hang
 * order: creation
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

#define N 5

static pthread_mutex_t directory, lease[N];
static int granted, repaired;

static void *forgetful(void *arg)
{
	pthread_mutex_lock(&directory);
	granted = -1;
	return arg;
}

static void enter(void)
{
	if (pthread_mutex_lock(&directory) == EOWNERDEAD) {
		pthread_mutex_consistent(&directory);
		granted = 0;
		repaired++;
	}
	granted++;
	pthread_mutex_unlock(&directory);
}

static void *client(void *arg)
{
	int me = (int)(long)arg, one = me, other = (me + 1) % N;

#ifdef FIXED
	if (other < one) {
		one = other;
		other = me;
	}
#endif
	enter();
	pthread_mutex_lock(&lease[one]);
	pthread_mutex_lock(&lease[other]); /* @more */
	pthread_mutex_unlock(&lease[other]);
	pthread_mutex_unlock(&lease[one]);
	return NULL;
}

int main(void)
{
	pthread_mutexattr_t a;
	pthread_t t[N];

	pthread_mutexattr_init(&a);
	pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&directory, &a);
	for (int i = 0; i < N; i++)
		pthread_mutex_init(&lease[i], NULL);
	pthread_create(&t[0], NULL, forgetful, NULL);
	pthread_join(t[0], NULL);
	for (int i = 0; i < N; i++)
		pthread_create(&t[i], NULL, client, (void *)(long)i);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	printf("%d granted, %d repaired\n", granted, repaired);
	return 0;
}
