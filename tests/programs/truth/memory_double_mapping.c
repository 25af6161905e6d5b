/* One ring, mapped twice: each thread has its own view. */
#include "truth.h"
#include <stdatomic.h>
#include <sys/mman.h>

/* one ring mapped twice (mirror); producer writes through one view, consumer reads through the
 * other */
struct ring {
	atomic_uint h, t;
	char pad[56];
	char d[64];
};
static struct ring *a, *b;

static void *p(void *unused)
{
	for (unsigned i = 0; i < 100;) {
		unsigned h = atomic_load_explicit(&a->h, memory_order_acquire);

		if (i - h >= 64) {
			sched_yield();
			continue;
		}
		a->d[i % 64] = (char)i;
		atomic_store_explicit(&a->t, ++i, memory_order_release);
	}
	return unused;
}

static void *c(void *unused)
{
	for (unsigned i = 0; i < 100;) {
		unsigned t = atomic_load_explicit(&b->t, memory_order_acquire);

		if (t == i) {
			sched_yield();
			continue;
		}
		assert(b->d[i % 64] == (char)i);
		atomic_store_explicit(&b->h, ++i, memory_order_release);
	}
	return unused;
}

int main(void)
{
	int fd = memfd_create("ring", MFD_CLOEXEC);

	ftruncate(fd, 4096);
	a = mmap(0, 4096, 3, MAP_SHARED, fd, 0);
	b = mmap(0, 4096, 3, MAP_SHARED, fd, 0);
	return both(c, p, 0);
}
