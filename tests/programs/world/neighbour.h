/*
 * Two threads, correct: one counts under a lock, the other looks twice. That the count changes
 * between the two looks is an atomicity violation that forerun predicts and executes, and that does
 * no harm. Whatever goes wrong beside it has another reason. `torn` says whether it happened, for
 * programs that have a bug. BUGGY: the thread instead adds one to what it saw; then counts are
 * lost.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
/* Nobody looks at it before the threads have ended. */
#ifdef BUGGY
#define torn (count != 5)
#else
static volatile int torn;
#endif

static void tick(void)
{
	pthread_mutex_lock(&lock);
	count++;
	pthread_mutex_unlock(&lock);
}

static void *looks(void *arg)
{
	int a, b = 0;

	(void)arg;
	pthread_mutex_lock(&lock);
	a = count;
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
#ifdef BUGGY
	count = a + 1;
	pthread_mutex_unlock(&lock);
#else
	b = count;
	pthread_mutex_unlock(&lock);
	torn = a != b;
#endif
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
