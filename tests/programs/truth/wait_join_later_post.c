/*
 * main joins a thread with a deadline, posts the semaphore for which the thread waits, and joins it
 * again.
 */
#include "truth.h"
#include <semaphore.h>
static sem_t go;
static int done;
static void *worker(void *arg)
{
	sem_wait(&go);
	done++;
	return arg;
}
int main(void)
{
	pthread_t t;
	struct timespec w;
	void *r = NULL;

	sem_init(&go, 0, 0);
	pthread_create(&t, NULL, worker, &go);
	assert(pthread_tryjoin_np(t, &r) == EBUSY);
	clock_gettime(CLOCK_MONOTONIC, &w);
	w.tv_nsec += 2000000;
	if (w.tv_nsec >= 1000000000) {
		w.tv_nsec -= 1000000000;
		w.tv_sec++;
	}
	assert(pthread_clockjoin_np(t, &r, CLOCK_MONOTONIC, &w) == ETIMEDOUT);
	sem_post(&go);
	while (pthread_tryjoin_np(t, &r))
		sched_yield();
	assert(r == &go && done == 1);
	return 0;
}
