/*
 * Three threads take one of two places. The check and the update are atomic, each alone. Only the pair of the last thread
 * fails; the pairs of the others do the same earlier in the run.
 *
 * order: random:12
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { PLACES = 2, THREADS = 3 };
static atomic_int used;
#ifdef UNRELATED
static int broken = 1;
#endif

static void *take(void *arg)
{
#ifdef FIXED
	if (atomic_fetch_add(&used, 1) >= PLACES)
		atomic_fetch_sub(&used, 1);
#else
	if (atomic_load(&used) < PLACES) {
		atomic_fetch_add(&used, 1);
#ifndef UNRELATED
		if (atomic_load(&used) > PLACES)
			abort();
#endif
	}
#endif
	return arg;
}

int main(void)
{
	pthread_t t[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, take, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
#ifdef UNRELATED
	if (broken)
		abort();
#endif
	return 0;
}
