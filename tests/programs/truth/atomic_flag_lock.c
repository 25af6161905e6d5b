/* atomic_flag as a lock, with a test-and-test-and-set loop. */
#include "truth.h"
#include <stdatomic.h>

static atomic_flag f = ATOMIC_FLAG_INIT;
static struct {
	short a, b;
} pair;

static void *work(void *unused)
{
	for (int i = 0; i < 5; i++) {
		while (atomic_flag_test_and_set_explicit(&f, memory_order_acquire))
			sched_yield();
		pair.a++;
		pair.b--;
		assert(pair.a + pair.b == 0);
		atomic_flag_clear_explicit(&f, memory_order_release);
	}
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	return pair.a != 10;
}
