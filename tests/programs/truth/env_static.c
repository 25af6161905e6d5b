/* A static program. */
/* build: -static */
#include "truth.h"
#include <stdatomic.h>

static int value;
static atomic_int ready;

static void *writer(void *unused)
{
	value = 3;
	atomic_store_explicit(&ready, 1, memory_order_release);
	tick();
	return unused;
}

static void *reader(void *unused)
{
	if (atomic_load_explicit(&ready, memory_order_acquire))
		assert(value == 3);
	assert(look());
	return unused;
}

int main(void)
{
	return both(reader, writer, NULL);
}
