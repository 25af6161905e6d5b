/*
 * Two threads that announce themselves and wait in a loop until the other is away: if both announce
 * themselves first, both wait for ever. The recorded run has them one after the other. The second
 * one writes `last` between the first one's read and write only after its loop: a schedule with
 * that order gets no further than the loop. FIXED: the first one does not wait, and `last` is
 * atomic.
 * order: creation
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#ifndef FLAG
#define FLAG _Atomic
#endif
static FLAG int first_in, second_in;
#ifdef FIXED
static _Atomic int last;
#else
static int last;
#endif

static void *first(void *p)
{
	int n;

	first_in = 1;
	n = last;
#ifndef FIXED
	while (second_in)
		sched_yield();
#endif
	last = n + 1;
	first_in = 0;
	return p;
}

static void *second(void *p)
{
	second_in = 1;
	while (first_in)
		sched_yield();
	last = 5;
	second_in = 0;
	return p;
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
