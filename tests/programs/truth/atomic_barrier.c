/* A sense-reversing barrier from atomics. */
#include "truth.h"
#include <stdatomic.h>

static atomic_int waiting, sense;
static int left[3], right[3];

static void barrier(int *mine)
{
	*mine = !*mine;
	if (atomic_fetch_add(&waiting, 1) == 1) {
		atomic_store(&waiting, 0);
		atomic_store_explicit(&sense, *mine, memory_order_release);
		return;
	}
	while (atomic_load_explicit(&sense, memory_order_acquire) != *mine)
		sched_yield();
}

static void *one(void *unused)
{
	int mine = 0;

	for (int i = 0; i < 3; i++) {
		left[i] = i + 1;
		barrier(&mine);
		assert(right[i] == i + 1);
	}
	return unused;
}

static void *two(void *unused)
{
	int mine = 0;

	for (int i = 0; i < 3; i++) {
		right[i] = i + 1;
		barrier(&mine);
		assert(left[i] == i + 1);
	}
	return unused;
}

int main(void)
{
	return both(one, two, NULL);
}
