/* Release and acquire fences around relaxed accesses publish a plain record. */
#include "truth.h"
#include <stdatomic.h>

static int record[3];
static atomic_int flag;

static void *writer(void *unused)
{
	record[0] = 1;
	record[2] = 3;
	atomic_thread_fence(memory_order_release);
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
	return unused;
}

static void *reader(void *unused)
{
	if (atomic_load_explicit(&flag, memory_order_relaxed)) {
		atomic_thread_fence(memory_order_acquire);
		assert(record[0] + record[2] == 4);
	}
	return unused;
}

int main(void)
{
	return both(reader, writer, NULL);
}
