/* A ring for one producer and one consumer. */
#include "truth.h"
#include <stdatomic.h>

#define N 4
static int ring[N];
static atomic_uint head, tail;

static void *producer(void *unused)
{
	for (int i = 1; i <= 10; i++) {
		unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);

		while (t - atomic_load_explicit(&head, memory_order_acquire) == N)
			sched_yield();
		ring[t % N] = i;
		atomic_store_explicit(&tail, t + 1, memory_order_release);
	}
	return unused;
}

static void *consumer(void *unused)
{
	for (int i = 1; i <= 10; i++) {
		unsigned h = atomic_load_explicit(&head, memory_order_relaxed);

		while (atomic_load_explicit(&tail, memory_order_acquire) == h)
			sched_yield();
		assert(ring[h % N] == i);
		atomic_store_explicit(&head, h + 1, memory_order_release);
	}
	return unused;
}

int main(void)
{
	return both(consumer, producer, NULL);
}
