/* A shared latest time: each thread takes the later of its own and the shared time. */
#include "truth.h"
#include <stdatomic.h>

static atomic_llong latest;

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static void *work(void *unused)
{
	for (int i = 0; i < 4; i++) {
		long long seen = atomic_load(&latest), mine = now();

		/* the clock is one clock: a time that was stored before is not in the future */
		assert(mine >= seen);
		while (seen < mine && !atomic_compare_exchange_weak(&latest, &seen, mine))
			;
		tick();
	}
	return unused;
}

int main(void)
{
	return both(work, work, NULL);
}
