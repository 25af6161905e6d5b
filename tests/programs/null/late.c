/*
 * A thread publishes a pointer, which is null at first; another uses it without a look.
 * The twin looks.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int *latest;

static void *first(void *arg)
{
	int *p = malloc(sizeof(*p));

	*p = 3;
	pthread_mutex_lock(&lock);
	latest = p;
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *second(void *arg)
{
	int *p;

	pthread_mutex_lock(&lock);
	p = latest;
	pthread_mutex_unlock(&lock);
#ifdef FIXED
	if (!p)
		return arg;
#endif
	*p = 4; /* @use */
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
