/*
 * A thread is busy until a point in time, and reports it; the other one waits for that report with
 * its own deadline.
 */
#include "truth.h"
#include <stdatomic.h>
static atomic_int over;
static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}
static void *busy(void *unused)
{
	double end = now() + 0.003;

	(void)unused;
	while (now() < end)
		;
	atomic_store(&over, 1);
	return NULL;
}
static void *other(void *unused)
{
	double start = now();

	(void)unused;
	while (!atomic_load(&over) && now() < start + 20)
		;
	assert(atomic_load(&over));
	return NULL;
}
int main(void)
{
	return both(busy, other, NULL);
}
