/* A ticket lock. */
#include "truth.h"
#include <stdatomic.h>

static atomic_uint next, serving;
static int x, y;

static void *work(void *unused)
{
	for (int i = 0; i < 6; i++) {
		unsigned me = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);

		while (atomic_load_explicit(&serving, memory_order_acquire) != me)
			sched_yield();
		x++;
		y = x;
		atomic_store_explicit(&serving, me + 1, memory_order_release);
	}
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	return x != 12 || y != 12;
}
