/*
 * Two threads clean up after an error. Each looks at the buffer and frees it, then forgets it.
 * order: creation
 * expect: double-free
 * harm: crash
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *buffer;

static void *fail(void *arg)
{
	void *old;

	pthread_mutex_lock(&lock);
	old = buffer;
#ifndef FIXED
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
#endif
	buffer = malloc(16);
	pthread_mutex_unlock(&lock);
	free(old);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	buffer = malloc(16);
	pthread_create(&a, NULL, fail, NULL);
	pthread_create(&b, NULL, fail, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
