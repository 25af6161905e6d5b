/*
 * Two threads, correct: one counts under a lock, the other looks twice. That the count changes
 * between the two looks is an atomicity violation that forerun predicts and executes, and that does
 * no harm. Whatever goes wrong beside it has another reason. `torn` says whether it happened, for
 * programs that have a bug. BUGGY: the thread adds one to its first look, so counts are lost then.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
static volatile int torn; /* nobody looks at it before the threads have ended */

static void tick(void)
{
	pthread_mutex_lock(&lock);
	count++;
	pthread_mutex_unlock(&lock);
}

static void *looks(void *arg)
{
	int a, b;

	(void)arg;
	pthread_mutex_lock(&lock);
	a = count;
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
	b = count;
#ifdef BUGGY
	count = a + 1;
#endif
	pthread_mutex_unlock(&lock);
	torn = a != b;
	return (void *)(long)(b < a);
}

static void *ticks(void *arg)
{
	tick();
	tick();
	return arg;
}

static inline void neighbours(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, ticks, NULL);
	pthread_join(a, NULL);
	pthread_create(&b, NULL, looks, NULL);
	pthread_create(&a, NULL, ticks, NULL);
	pthread_join(b, NULL);
	pthread_join(a, NULL);
}
