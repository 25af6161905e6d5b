/*
 * Threads look a value up, and compute it without the lock if it is missing; the program prints
 * hits and misses.
 */
#include "truth.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int have[3], value[3], hits, misses;

static int get(int k)
{
	int v = -1;

	pthread_mutex_lock(&lock);
	if (have[k]) {
		hits++;
		v = value[k];
	} else {
		misses++;
	}
	pthread_mutex_unlock(&lock);
	if (v < 0) {
		v = k * k;
		pthread_mutex_lock(&lock);
		have[k] = 1;
		value[k] = v;
		pthread_mutex_unlock(&lock);
	}
	return v;
}

static void *work(void *unused)
{
	for (int k = 0; k < 3; k++)
		assert(get(k) == k * k);
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	printf("%d hits, %d misses\n", hits, misses);
	return hits + misses != 6;
}
