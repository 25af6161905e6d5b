/*
 * Own spin locks in opposite order; the second one is only tried, and a failure gives the first one
 * back.
 */
#include "truth.h"
#include <stdatomic.h>
static atomic_flag a = ATOMIC_FLAG_INIT, b = ATOMIC_FLAG_INIT;
static int moved;
static void move(atomic_flag *first, atomic_flag *second)
{
	for (;;) {
		while (atomic_flag_test_and_set_explicit(first, memory_order_acquire))
			sched_yield();
		if (!atomic_flag_test_and_set_explicit(second, memory_order_acquire))
			break;
		atomic_flag_clear_explicit(first, memory_order_release);
		sched_yield();
	}
	moved++;
	atomic_flag_clear_explicit(second, memory_order_release);
	atomic_flag_clear_explicit(first, memory_order_release);
}
static void *worker(void *arg)
{
	for (int i = 0; i < 3; i++)
		move(&b, &a);
	return arg;
}
int main(void)
{
	pthread_t t;

	assert(!pthread_create(&t, NULL, worker, NULL));
	for (int i = 0; i < 3; i++)
		move(&a, &b);
	pthread_join(t, NULL);
	assert(moved == 6);
	return 0;
}
