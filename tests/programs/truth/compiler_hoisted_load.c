/* A load inside a loop that does not run, or runs only when an atomic says so. */
#include "truth.h"
#include <stdatomic.h>

int limit, scale;
static atomic_int open_;
static long out;

__attribute__((noinline)) static long sum(const int *n)
{
	long s = 0;

	for (int i = 0; i < *n; i++)
		s += scale * i;
	return s;
}

static void *reader(void *n)
{
	out = sum(n);
	for (int i = 0; i < 3; i++)
		if (atomic_load_explicit(&open_, memory_order_acquire))
			out += limit;
	return NULL;
}

static void *writer(void *unused)
{
	scale = 3;
	limit = 10;
	atomic_store_explicit(&open_, 1, memory_order_release);
	(void)unused;
	return NULL;
}

int main(void)
{
	static int none;

	both(reader, writer, &none);
	return out % 10 != 0 || out > 30;
}
