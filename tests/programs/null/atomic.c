/*
 * An atomic pointer: one thread loads it and uses it, another stores null.
 * The twin checks the loaded pointer for null.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdatomic.h>

int cell;
static _Atomic(int *) shared;

static void *first(void *arg)
{
	int *p = atomic_load(&shared);

#ifdef FIXED
	if (p)
#endif
		*p = 1; /* @use */
	return arg;
}

static void *second(void *arg)
{
	atomic_store(&shared, NULL);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	atomic_store(&shared, &cell);
	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
