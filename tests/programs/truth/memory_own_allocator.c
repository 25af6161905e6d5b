/* The program's own allocator: a bump pointer advanced by an atomic addition. */
#include "truth.h"
#include <stdatomic.h>

static char heap[4096] __attribute__((aligned(16)));
static atomic_size_t brk_;

static void *get(size_t n)
{
	return heap + atomic_fetch_add(&brk_, (n + 15) & ~(size_t)15);
}

static void *work(void *unused)
{
	for (int i = 0; i < 8; i++) {
		int *p = get(24);

		p[0] = i;
		p[5] = i;
		assert(p[0] == p[5]);
	}
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	return brk_ != 16 * 32;
}
