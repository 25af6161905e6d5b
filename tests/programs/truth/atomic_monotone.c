/* Two loads of a counter that only grows; a maximum by compare-and-swap. */
#include "truth.h"
#include <stdatomic.h>

static atomic_int clock_, high;

static void raise_to(int v)
{
	int h = atomic_load(&high);

	while (h < v && !atomic_compare_exchange_weak(&high, &h, v))
		;
}

static void *advance(void *unused)
{
	for (int i = 0; i < 5; i++)
		raise_to(atomic_fetch_add(&clock_, 1) + 1);
	return unused;
}

static void *watch(void *unused)
{
	int a = atomic_load(&clock_), b = atomic_load(&clock_), h;

	assert(b >= a);
	raise_to(b);
	h = atomic_load(&high);
	assert(h >= b && h <= 5);
	return unused;
}

int main(void)
{
	return both(watch, advance, NULL);
}
