/*
 * jPredictor, figure 1, with the resource behind a lock: the task tests the flag once instead of
 * waiting for it.
 * order: creation
 * kinds: order-violation
 * subject: authenticated
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int flag;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int authenticated;

__attribute__((noinline)) static void authenticate(void)
{
	pthread_mutex_lock(&m);
	authenticated = 1;
	pthread_mutex_unlock(&m);
}

__attribute__((noinline)) static void use_resource(void)
{
	int ok;

	pthread_mutex_lock(&m);
	ok = authenticated;
	pthread_mutex_unlock(&m);
	if (!ok) {
		fprintf(stderr, "not authenticated\n");
		abort();
	}
}

static void *task(void *arg)
{
#ifdef FIXED
	while (!atomic_load(&flag))
		sched_yield();
#else
	if (!atomic_load(&flag))
		sched_yield();
#endif
	use_resource();
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, task, NULL);
	authenticate();
	atomic_store(&flag, 1);
	pthread_join(t, NULL);
	return 0;
}
