/*
 * A loop tests a flag that does not change in it; the data behind it belong to the other thread
 * while the flag is 0.
 */
#include "truth.h"
#include <stdatomic.h>
#define N 8
static atomic_int published;
static long data[N], limit = 3;
static void *writer(void *unused)
{
	(void)unused;
	for (int i = 0; i < N; i++)
		data[i] = limit;
	limit = 24;
	atomic_store_explicit(&published, 1, memory_order_release);
	return NULL;
}
static void *reader(void *unused)
{
	int p = atomic_load_explicit(&published, memory_order_acquire);
	long s = 0;

	(void)unused;
	for (int i = 0; i < N; i++)
		if (p && s < limit)
			s += data[i];
	assert(s == (p ? 24 : 0));
	return NULL;
}
int main(void)
{
	return both(writer, reader, NULL);
}
