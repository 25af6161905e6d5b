/*
 * A thread uses a static pointer in a lock region. Another sets it to null in its own lock region.
 * The twin looks before it uses the pointer.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int *score;

static void *first(void *arg)
{
	pthread_mutex_lock(&lock);
#ifdef FIXED
	if (score)
#endif
		*score += 1; /* @use */
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *second(void *arg)
{
	pthread_mutex_lock(&lock);
	score = NULL;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	score = calloc(1, sizeof(*score));
	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
