/* A spin lock of the old __sync builtins. */
#include "truth.h"

static int lock, x;
static long count;

static void *work(void *unused)
{
	for (int i = 0; i < 5; i++) {
		while (__sync_lock_test_and_set(&lock, 1))
			sched_yield();
		x++;
		__sync_lock_release(&lock);
		__sync_fetch_and_add(&count, 2);
		while (!__sync_bool_compare_and_swap(&lock, 0, 1))
			sched_yield();
		x++;
		__sync_lock_release(&lock);
	}
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	return x != 20 || count != 20;
}
