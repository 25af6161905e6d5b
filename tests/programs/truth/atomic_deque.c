/* Work stealing: the owner takes at one end, a thief at the other (Chase and Lev, all sequentially
 * consistent). */
#include "truth.h"
#include <stdatomic.h>

#define N 16
static atomic_long top, bottom;
static atomic_int items[N], sum;
static atomic_int left;

static int take(void)
{
	long b = atomic_fetch_sub(&bottom, 1) - 1, t = atomic_load(&top);
	int v;

	if (t > b) {
		atomic_store(&bottom, b + 1);
		return 0;
	}
	v = atomic_load(&items[b % N]);
	if (t == b) {
		if (!atomic_compare_exchange_strong(&top, &t, t + 1))
			v = 0;
		atomic_store(&bottom, b + 1);
	}
	return v;
}

static int steal(void)
{
	long t = atomic_load(&top), b = atomic_load(&bottom);
	int v;

	if (t >= b)
		return 0;
	v = atomic_load(&items[t % N]);
	return atomic_compare_exchange_strong(&top, &t, t + 1) ? v : 0;
}

static void *owner(void *unused)
{
	while (atomic_load(&left)) {
		int v = take();

		if (v) {
			atomic_fetch_add(&sum, v);
			atomic_fetch_sub(&left, 1);
		} else {
			sched_yield();
		}
	}
	return unused;
}

static void *thief(void *unused)
{
	while (atomic_load(&left)) {
		int v = steal();

		if (v) {
			atomic_fetch_add(&sum, v);
			atomic_fetch_sub(&left, 1);
		} else {
			sched_yield();
		}
	}
	return unused;
}

int main(void)
{
	for (int i = 1; i <= 6; i++) {
		atomic_store(&items[atomic_load(&bottom) % N], i);
		atomic_fetch_add(&bottom, 1);
		atomic_fetch_add(&left, 1);
	}
	both(owner, thief, NULL);
	return sum != 21;
}
