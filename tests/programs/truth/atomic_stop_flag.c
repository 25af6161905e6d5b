/* A relaxed stop flag; the join publishes the result. */
#include "truth.h"
#include <stdatomic.h>

static atomic_bool stop;
static long rounds;

static void *spin(void *unused)
{
	while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
		rounds++;
		sched_yield();
	}
	rounds++;
	return unused;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, spin, NULL);
	usleep(500);
	atomic_store_explicit(&stop, 1, memory_order_relaxed);
	pthread_join(t, NULL);
	return rounds < 1;
}
