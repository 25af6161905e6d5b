/*
 * An atomic state: a thread relies on the state that another one sets.
 * The twin waits for it.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sched.h>
#include <stdatomic.h>

enum { CLOSED, OPEN };
atomic_int state;

static void *first(void *arg)
{
	atomic_store(&state, OPEN);
	return arg;
}

static void *second(void *arg)
{
#ifdef FIXED
	while (atomic_load(&state) != OPEN)
		sched_yield();
#endif
	assert(atomic_load(&state) == OPEN); /* @fails */
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
