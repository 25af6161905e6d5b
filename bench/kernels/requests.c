/*
 * requests THREADS REQUESTS ACCESSES: for properties.py. Each thread opens and uses its requests, and closes those of the
 * thread before it. Between two events of requests, it makes ACCESSES accesses to shared memory, in sections of a lock.
 */
#include <forerun.h>
#include <pthread.h>
#include <stdlib.h>

#define CELLS 64

static pthread_mutex_t lock[CELLS];
static long cell[CELLS], threads, requests, accesses;
static pthread_barrier_t opened;

static void work(long seed)
{
	for (long i = 0; i < accesses; i += 8) {
		long k = (seed + i) % CELLS;

		pthread_mutex_lock(&lock[k]);
		for (int j = 0; j < 4; j++)
			cell[k] += j;
		pthread_mutex_unlock(&lock[k]);
	}
}

static void *run(void *arg)
{
	long me = (long)arg, before = (me + threads - 1) % threads;

	for (long r = me; r < requests; r += threads) {
		FORERUN_EVENT("open", r);
		work(r);
		FORERUN_EVENT("use", r);
	}
	pthread_barrier_wait(&opened);
	for (long r = before; r < requests; r += threads) {
		work(r);
		FORERUN_EVENT("close", r);
	}
	return 0;
}

int main(int argc, char **argv)
{
	pthread_t t[64];

	(void)argc;
	threads = atol(argv[1]);
	requests = atol(argv[2]);
	accesses = atol(argv[3]);
	pthread_barrier_init(&opened, 0, (unsigned)threads);
	for (int i = 0; i < CELLS; i++)
		pthread_mutex_init(&lock[i], 0);
	for (long i = 0; i < threads; i++)
		pthread_create(&t[i], 0, run, (void *)i);
	for (long i = 0; i < threads; i++)
		pthread_join(t[i], 0);
	return 0;
}
