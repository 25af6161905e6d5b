/*
 * Three threads take turns. They share a condition variable, and the end of a turn is signalled to
 * one of them, which may not be the next one. In the recorded run, the last thread need not wait.
 * The twin wakes all of them.
 *
 * order: 0,2,1
 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t next = PTHREAD_COND_INITIALIZER;
static long turn;

static void *takes_turn(void *arg)
{
	pthread_mutex_lock(&lock);
	while (turn != (long)arg)
		pthread_cond_wait(&next, &lock); /* @wait */
	turn++;
#ifdef FIXED
	pthread_cond_broadcast(&next);
#else
	pthread_cond_signal(&next);
#endif
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	static const long number[] = {1, 0, 2};
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, takes_turn, (void *)number[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	printf("%ld turns\n", turn);
	return 0;
}
