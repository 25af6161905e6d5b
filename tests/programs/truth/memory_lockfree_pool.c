/* A pool of slots with a bitmap of atomic bits. */
#include "truth.h"
#include <stdatomic.h>

static atomic_uint used;
static long slots[4][4];

static int get(void)
{
	unsigned u = atomic_load_explicit(&used, memory_order_relaxed);

	for (;;) {
		int i = __builtin_ctz(~u);

		if (i >= 4) {
			sched_yield();
			u = atomic_load(&used);
			continue;
		}
		if (atomic_compare_exchange_weak_explicit(
			&used, &u, u | 1u << i, memory_order_acquire, memory_order_relaxed))
			return i;
	}
}

static void *work(void *unused)
{
	for (int n = 0; n < 5; n++) {
		int i = get();

		slots[i][0] = n;
		slots[i][3] = n + 1;
		assert(slots[i][3] - slots[i][0] == 1);
		atomic_fetch_and_explicit(&used, ~(1u << i), memory_order_release);
	}
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	return used != 0;
}
