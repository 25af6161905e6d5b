/*
 * Five philosophers, each with the left fork first. In the right one the last of them takes the
 * other one first.
 *
 * expect: deadlock * acquire@second acquire@second acquire@second acquire@second acquire@second
 * harm: hang
 * order: creation
 *	forerun cc -g -O1 -pthread philosophers.c -o philosophers
 *	forerun record --order creation ./philosophers
 *	forerun predict
 * With -DFIXED it is correct, and forerun finds nothing.
 */
#include <pthread.h>
#include <stdio.h>

#define N 5

static pthread_mutex_t fork_of[N] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
				     PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
				     PTHREAD_MUTEX_INITIALIZER};
static int number[N];

static void *dine(void *arg)
{
	int i = *(int *)arg, first = i, second = (i + 1) % N;

#ifdef FIXED
	if (second < first) {
		first = second;
		second = i;
	}
#endif
	pthread_mutex_lock(&fork_of[first]);
	pthread_mutex_lock(&fork_of[second]); /* @second */
	pthread_mutex_unlock(&fork_of[second]);
	pthread_mutex_unlock(&fork_of[first]);
	return NULL;
}

int main(void)
{
	pthread_t t[N];

	for (int i = 0; i < N; i++)
		number[i] = i;
	for (int i = 0; i < N; i++)
		pthread_create(&t[i], NULL, dine, &number[i]);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	return 0;
}
