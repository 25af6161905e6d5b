/*
 * Three threads take steps of one protocol: connect, send, disconnect.
 * The twin lets each wait for its turn.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
int step;

static void take(int from)
{
	pthread_mutex_lock(&lock);
#ifdef FIXED
	while (step != from)
		pthread_cond_wait(&moved, &lock);
#endif
	assert(step == from); /* @fails */
	step = from + 1;
	pthread_cond_broadcast(&moved);
	pthread_mutex_unlock(&lock);
}

static void *run(void *arg)
{
	take(*(int *)arg);
	return NULL;
}

int main(void)
{
	static int number[3] = {0, 1, 2};
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, run, &number[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
