/* An append-only array: the release store of the length publishes the elements. */
#include "truth.h"
#include <stdatomic.h>

static int log_[16];
static atomic_int length;

static void *writer(void *unused)
{
	for (int i = 0; i < 8; i++) {
		log_[i] = i + 1;
		atomic_store_explicit(&length, i + 1, memory_order_release);
	}
	return unused;
}

static void *reader(void *unused)
{
	int n = atomic_load_explicit(&length, memory_order_acquire), sum = 0;

	for (int i = 0; i < n; i++)
		sum += log_[i];
	assert(sum == n * (n + 1) / 2);
	return unused;
}

int main(void)
{
	return both(reader, writer, NULL);
}
