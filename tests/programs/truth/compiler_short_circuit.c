/* The right side of && and || runs only if the left side says so. */
#include "truth.h"
#include <stdatomic.h>

static atomic_int ready;
int value, hits;

static void *reader(void *unused)
{
	for (int i = 0; i < 4; i++)
		if (atomic_load_explicit(&ready, memory_order_acquire) && value == 3)
			hits++;
	if (!(!atomic_load_explicit(&ready, memory_order_acquire) || value != 3))
		hits++;
	return unused;
}

static void *writer(void *unused)
{
	value = 3;
	atomic_store_explicit(&ready, 1, memory_order_release);
	return unused;
}

int main(void)
{
	both(reader, writer, NULL);
	return hits > 5;
}
