/*
 * A ring of one writer and one reader with cached indices of the other side.
 */
#include "truth.h"
#include <stdatomic.h>
static int ring[4];
static atomic_uint head, tail;
static void *reader(void *arg)
{
	unsigned h = 0, seen = 0;
	int want = 0;

	while (want < 8) {
		if (h == seen) {
			seen = atomic_load_explicit(&tail, memory_order_acquire);
			if (h == seen) {
				sched_yield();
				continue;
			}
		}
		assert(ring[h % 4] == want++);
		atomic_store_explicit(&head, ++h, memory_order_release);
	}
	return arg;
}
int main(void)
{
	unsigned t = 0, seen = 0;
	pthread_t th;

	assert(!pthread_create(&th, NULL, reader, NULL));
	for (int i = 0; i < 8;) {
		if (t - seen == 4) {
			seen = atomic_load_explicit(&head, memory_order_acquire);
			if (t - seen == 4) {
				sched_yield();
				continue;
			}
		}
		ring[t % 4] = i++;
		atomic_store_explicit(&tail, ++t, memory_order_release);
	}
	pthread_join(th, NULL);
	return 0;
}
