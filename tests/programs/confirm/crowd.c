/*
 * 64 visitors pass a gate and are counted. The thread that closes for the night reads the cash box
 * before the last visitor has paid.
 *
 * expect: data-race cash write@pay read@count
 * harm: assert
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define VISITORS 64

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t empty = PTHREAD_COND_INITIALIZER;
static int inside, passed, cash;

static void *visit(void *arg)
{
	int last;

	pthread_mutex_lock(&gate);
	inside++;
	pthread_mutex_unlock(&gate);
	pthread_mutex_lock(&gate);
	inside--;
	passed++;
	last = passed == VISITORS;
#ifdef FIXED
	if (last)
		cash = 5 * VISITORS;
#endif
	pthread_cond_broadcast(&empty);
	pthread_mutex_unlock(&gate);
#ifndef FIXED
	if (last)
		cash = 5 * VISITORS; /* @pay */
#endif
	return arg;
}

int main(void)
{
	pthread_t t[VISITORS];
	int box;

	for (int i = 0; i < VISITORS; i++)
		pthread_create(&t[i], NULL, visit, NULL);
	pthread_mutex_lock(&gate);
	while (passed < VISITORS)
		pthread_cond_wait(&empty, &gate);
	pthread_mutex_unlock(&gate);
	box = cash; /* @count */
	for (int i = 0; i < VISITORS; i++)
		pthread_join(t[i], NULL);
	assert(box == 5 * VISITORS);
	return 0;
}
