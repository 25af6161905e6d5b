/* A poll loop over a flag, with sleeps and a maximum number of rounds that nobody reaches. */
#include "truth.h"
#include <stdatomic.h>

static atomic_int ready;

static void *slow(void *unused)
{
	tick();
	usleep(10000);
	atomic_store(&ready, 1);
	return unused;
}

static void *poll_it(void *unused)
{
	int rounds = 0;

	assert(look());
	while (!atomic_load(&ready)) {
		assert(++rounds < 10000);
		usleep(2000);
	}
	return unused;
}

int main(void)
{
	return both(poll_it, slow, NULL);
}
