/* Vyukov's bounded queue for many producers and many consumers. */
#include "truth.h"
#include <stdatomic.h>

#define N 8
static struct cell {
	atomic_uint seq;
	int value;
} cells[N];
static atomic_uint in, out, sum;

static void put(int v)
{
	for (;;) {
		unsigned p = atomic_load_explicit(&in, memory_order_relaxed);
		struct cell *c = &cells[p % N];
		unsigned s = atomic_load_explicit(&c->seq, memory_order_acquire);

		if (s == p && atomic_compare_exchange_weak(&in, &p, p + 1)) {
			c->value = v;
			atomic_store_explicit(&c->seq, p + 1, memory_order_release);
			return;
		}
	}
}

static int get(void)
{
	for (;;) {
		unsigned p = atomic_load_explicit(&out, memory_order_relaxed);
		struct cell *c = &cells[p % N];
		unsigned s = atomic_load_explicit(&c->seq, memory_order_acquire);

		if (s == p + 1 && atomic_compare_exchange_weak(&out, &p, p + 1)) {
			int v = c->value;

			atomic_store_explicit(&c->seq, p + N, memory_order_release);
			return v;
		}
		sched_yield();
	}
}

static void *work(void *unused)
{
	for (int i = 1; i <= 3; i++) {
		put(i);
		atomic_fetch_add(&sum, get());
	}
	return unused;
}

int main(void)
{
	for (unsigned i = 0; i < N; i++)
		atomic_init(&cells[i].seq, i);
	both(work, work, NULL);
	return sum != 12;
}
