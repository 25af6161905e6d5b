/*
 * An index is invalid until a thread sets it; another thread uses it.
 * The twin skips an invalid index.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define NONE (1 << 28)
int table[4], current = NONE;

static void *first(void *arg)
{
	pthread_mutex_lock(&lock);
	current = 2;
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *second(void *arg)
{
	pthread_mutex_lock(&lock);
#ifdef FIXED
	if (current != NONE)
#endif
		table[current]++; /* @fails */
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
