/* Read-modify-writes of others continue a release sequence. */
#include "truth.h"
#include <stdatomic.h>

static int record;
static atomic_int count;

static void *first(void *unused)
{
	record = 5;
	atomic_store_explicit(&count, 1, memory_order_release);
	return unused;
}

static void *second(void *unused)
{
	int one = 1;

	atomic_compare_exchange_strong_explicit(&count, &one, 2, memory_order_relaxed,
						memory_order_relaxed);
	return unused;
}

int main(void)
{
	pthread_t t, u;

	pthread_create(&t, NULL, second, NULL);
	pthread_create(&u, NULL, first, NULL);
	while (atomic_load_explicit(&count, memory_order_acquire) == 0)
		sched_yield();
	assert(record == 5);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
