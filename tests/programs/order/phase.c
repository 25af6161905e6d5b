/*
 * A thread ends the program if it finds another phase than it expects.
 * The twin does nothing in another phase.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int phase = 1;

static void *first(void *arg)
{
	int now;

	pthread_mutex_lock(&lock);
	now = phase;
	pthread_mutex_unlock(&lock);
#ifdef FIXED
	if (now != 1)
		return arg;
#endif
	if (now != 1)
		abort(); /* @fails */
	return arg;
}

static void *second(void *arg)
{
	pthread_mutex_lock(&lock);
	phase = 2;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
