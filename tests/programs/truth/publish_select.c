/* An acquire load decides which value a conditional expression takes. */
#include "truth.h"
#include <stdatomic.h>

static atomic_int ready;
static int value, other = 9;

__attribute__((noinline)) static int get(int fallback)
{
	return atomic_load_explicit(&ready, memory_order_acquire) ? value : fallback;
}

__attribute__((noinline)) static int sum(int n)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		s += atomic_load_explicit(&ready, memory_order_acquire) ? value + i : other;
	return s;
}

static void *writer(void *unused)
{
	value = 42;
	atomic_store_explicit(&ready, 1, memory_order_release);
	return unused;
}

static void *reader(void *unused)
{
	int r = get(-1);

	assert(r == 42 || r == -1);
	assert(sum(2) >= 18);
	return unused;
}

int main(void)
{
	return both(reader, writer, NULL);
}
