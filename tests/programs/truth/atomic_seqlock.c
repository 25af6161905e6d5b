/* A seqlock whose data are relaxed atomics. */
#include "truth.h"
#include <stdatomic.h>

static atomic_uint seq;
static atomic_int a, b;

static void *writer(void *unused)
{
	for (int i = 1; i <= 4; i++) {
		unsigned s = atomic_load_explicit(&seq, memory_order_relaxed);

		atomic_store_explicit(&seq, s + 1, memory_order_relaxed);
		atomic_thread_fence(memory_order_release);
		atomic_store_explicit(&a, i, memory_order_relaxed);
		atomic_store_explicit(&b, -i, memory_order_relaxed);
		atomic_store_explicit(&seq, s + 2, memory_order_release);
	}
	return unused;
}

static void *reader(void *unused)
{
	for (int i = 0; i < 4; i++) {
		unsigned s, t;
		int p, q;

		do {
			s = atomic_load_explicit(&seq, memory_order_acquire);
			p = atomic_load_explicit(&a, memory_order_relaxed);
			q = atomic_load_explicit(&b, memory_order_relaxed);
			atomic_thread_fence(memory_order_acquire);
			t = atomic_load_explicit(&seq, memory_order_relaxed);
			if (s != t || s % 2)
				sched_yield();
		} while (s != t || s % 2);
		assert(p + q == 0);
	}
	return unused;
}

int main(void)
{
	return both(reader, writer, NULL);
}
