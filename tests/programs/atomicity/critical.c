/*
 * A critical section, guarded by a variable that says whose turn it is, as in IBM's collection of
 * concurrent bugs. Every access is atomic, and nothing races. But a thread checks that nobody has
 * the turn and takes it in two steps, so two threads can be in the section.
 *
 * Two threads, one pair of a load and a store. Between them the other thread can take its turn, so
 * that both are inside, or can take it and leave again: two interleavings, whichever thread is the
 * first.
 *
 * expect: atomicity-violation turn read@look write@take
 * between: write@take write@leave
 * harm: assert critical.c:@alone: Assertion `others == 0' failed
 * order: 0,1,1,2
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#define NOBODY 0

static atomic_int turn, inside, visits;
#ifdef FIXED
static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
#endif

static bool enter(int me)
{
#ifdef FIXED
	pthread_mutex_lock(&door);
#endif
	if (atomic_load(&turn) != NOBODY) { /* @look */
#ifdef FIXED
		pthread_mutex_unlock(&door);
#endif
		return false;
	}
	atomic_store(&turn, me); /* @take */
	return true;
}

static void leave(void)
{
	atomic_store(&turn, NOBODY); /* @leave */
#ifdef FIXED
	pthread_mutex_unlock(&door);
#endif
}

static void section(void)
{
	int others = atomic_fetch_add(&inside, 1);

	assert(others == 0); /* @alone */
	sched_yield(); /* the other one can come in */
	atomic_fetch_sub(&inside, 1);
}

static void *visit(void *arg)
{
	const int *me = arg;

	while (!enter(*me))
		sched_yield();
	section();
	leave();
	atomic_fetch_add(&visits, 1);
	return NULL;
}

int main(void)
{
	int a = 1, b = 2;
	pthread_t t1, t2;

	pthread_create(&t1, NULL, visit, &a);
	pthread_create(&t2, NULL, visit, &b);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	printf("%d visits\n", atomic_load(&visits));
	return 0;
}
