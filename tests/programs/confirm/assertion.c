/*
 * One thread prepares data. Another thread asserts that the data is ready, but does not wait for
 * it.
 *
 * expect: data-race ready write@ready read@ask
 * harm: assert Assertion `ready == 1' failed
 * order: creation
 */
#undef NDEBUG
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int ready;

static void *maker(void *arg)
{
	ready = 1; /* @ready */
	return arg;
}

static void *user(void *arg)
{
#ifndef FIXED
	assert(ready == 1); /* @ask */
#endif
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, maker, NULL);
	pthread_create(&t[1], NULL, user, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	puts("made");
	return 0;
}
