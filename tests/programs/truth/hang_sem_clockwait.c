/*
 * sem_clockwait() with a deadline far away; the post comes soon.
 *
 * options: --order 0,2,1
 */
#include "truth.h"
#include <semaphore.h>

static sem_t s;

static void *waiter(void *unused)
{
	struct timespec t;

	tick();
	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_sec += 30;
	while (sem_clockwait(&s, CLOCK_MONOTONIC, &t) != 0)
		assert(errno == EINTR);
	tick();
	return unused;
}

static void *poster(void *unused)
{
	assert(look());
	sem_post(&s);
	return unused;
}

int main(void)
{
	sem_init(&s, 0, 0);
	return both(poster, waiter, NULL);
}
