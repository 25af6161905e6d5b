/*
 * A ring with atomics: the producer counts how often it was full, the consumer how often it was
 * empty.
 */
#include "truth.h"
#include <stdatomic.h>

static int ring[2];
static atomic_uint head, tail;
static int full, empty;
static void *produce(void *unused)
{
	for (int i = 0; i < 5;) {
		unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);

		if (t - atomic_load_explicit(&head, memory_order_acquire) == 2) {
			full++;
			sched_yield();
			continue;
		}
		ring[t % 2] = i++;
		atomic_store_explicit(&tail, t + 1, memory_order_release);
	}
	return unused;
}

static void *consume(void *unused)
{
	for (int i = 0; i < 5;) {
		unsigned h = atomic_load_explicit(&head, memory_order_relaxed);

		if (h == atomic_load_explicit(&tail, memory_order_acquire)) {
			empty++;
			sched_yield();
			continue;
		}
		assert(ring[h % 2] == i++);
		atomic_store_explicit(&head, h + 1, memory_order_release);
	}
	return unused;
}

int main(void)
{
	both(produce, consume, NULL);
	printf("full %d times, empty %d times\n", full, empty);
	return 0;
}
