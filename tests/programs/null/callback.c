/*
 * A callback is registered by one thread and called by another.
 * The twin calls it only if there is one.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void (*callback)(int);

static void print(int n)
{
	fprintf(stderr, "%d\n", n);
}

static void *first(void *arg)
{
	pthread_mutex_lock(&lock);
	callback = print;
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *second(void *arg)
{
	pthread_mutex_lock(&lock);
#ifdef FIXED
	if (callback)
#endif
		callback(1); /* @use */
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
