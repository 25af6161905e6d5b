/* A hazard pointer keeps an object alive while a reader uses it. */
#include "truth.h"
#include <stdatomic.h>

static int *_Atomic shared;
static int *_Atomic hazard;

static void *reader(void *unused)
{
	for (int i = 0; i < 3; i++) {
		int *p;

		do {
			p = atomic_load(&shared);
			atomic_store(&hazard, p);
		} while (p != atomic_load(&shared));
		assert(*p >= 0);
		atomic_store(&hazard, NULL);
	}
	return unused;
}

static void *writer(void *unused)
{
	for (int i = 1; i <= 3; i++) {
		int *fresh = malloc(sizeof(int)), *old;

		*fresh = i;
		old = atomic_exchange(&shared, fresh);
		while (atomic_load(&hazard) == old)
			sched_yield();
		*old = -1;
		free(old);
	}
	return unused;
}

int main(void)
{
	atomic_init(&shared, calloc(1, sizeof(int)));
	both(reader, writer, NULL);
	free(atomic_load(&shared));
	return 0;
}
