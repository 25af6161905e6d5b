/*
 * A thread looks at a flag under a lock that the setter needs first; it gives the lock back before
 * it looks again.
 */
#include "truth.h"
#include <stdatomic.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;
static int setup;
static void *setter(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&lock);
	setup = 3;
	pthread_mutex_unlock(&lock);
	atomic_store(&ready, 1);
	return NULL;
}
static void *waiter(void *unused)
{
	int is_ready = 0;

	(void)unused;
	while (!is_ready) {
		pthread_mutex_lock(&lock);
		is_ready = atomic_load(&ready);
		if (is_ready)
			assert(setup == 3);
		pthread_mutex_unlock(&lock);
		if (!is_ready)
			sched_yield();
	}
	return NULL;
}
int main(void)
{
	return both(setter, waiter, NULL);
}
