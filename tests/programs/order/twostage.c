/*
 * Two values are updated in two stages, each under its own lock. A reader may come between the
 * stages. The twin updates both under both locks.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int first, second;

static void *writer(void *arg)
{
	pthread_mutex_lock(&a);
	first = 1;
#ifndef FIXED
	pthread_mutex_unlock(&a);
#endif
	pthread_mutex_lock(&b);
	second = first + 1;
	pthread_mutex_unlock(&b);
#ifdef FIXED
	pthread_mutex_unlock(&a);
#endif
	return arg;
}

static void *reader(void *arg)
{
	int x, y;

	pthread_mutex_lock(&a);
	x = first;
	pthread_mutex_unlock(&a);
	if (!x)
		return arg;
	pthread_mutex_lock(&b);
	y = second;
	pthread_mutex_unlock(&b);
	assert(y == x + 1); /* @fails */
	return arg;
}

int main(void)
{
	pthread_t s, t;

	pthread_create(&s, NULL, writer, NULL);
	pthread_create(&t, NULL, reader, NULL);
	pthread_join(s, NULL);
	pthread_join(t, NULL);
	return 0;
}
