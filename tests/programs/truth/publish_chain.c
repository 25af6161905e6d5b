/* A publication over two flags: the third thread sees the first one's record. */
#include "truth.h"
#include <stdatomic.h>

static int record;
static atomic_int a, b;

static void *first(void *unused)
{
	record = 1;
	atomic_store_explicit(&a, 1, memory_order_release);
	return unused;
}

static void *second(void *unused)
{
	while (!atomic_load_explicit(&a, memory_order_acquire))
		sched_yield();
	atomic_store_explicit(&b, 1, memory_order_release);
	return unused;
}

int main(void)
{
	pthread_t t, u;

	pthread_create(&t, NULL, second, NULL);
	pthread_create(&u, NULL, first, NULL);
	if (atomic_load_explicit(&b, memory_order_acquire))
		assert(record == 1);
	while (!atomic_load_explicit(&b, memory_order_acquire))
		sched_yield();
	assert(record == 1);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
