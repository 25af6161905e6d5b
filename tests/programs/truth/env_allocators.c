/* Every allocation function of libc, in two threads. */
#include "truth.h"
#include <malloc.h>

static void *work(void *unused)
{
	for (size_t n = 1; n < 2000; n = n * 3 + 1) {
		void *p = NULL, *q = aligned_alloc(64, 64 * n), *r = calloc(n, 3),
		     *s = memalign(32, n);

		assert(posix_memalign(&p, 128, n) == 0 && (uintptr_t)p % 128 == 0);
		assert((uintptr_t)q % 64 == 0 && (uintptr_t)s % 32 == 0);
		assert(malloc_usable_size(p) >= n && ((char *)r)[n * 3 - 1] == 0);
		r = reallocarray(r, n, 5);
		memset(r, 1, n * 5);
		free(p);
		free(q);
		free(r);
		free(s);
		p = strndup("a string", n);
		assert(strlen(p) == (n < 8 ? n : 8));
		free(p);
	}
	tick();
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	malloc_trim(0);
	return 0;
}
