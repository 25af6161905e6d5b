/*
 * Two threads announce round after round which level they have seen, until a third one tells them to stop. While that
 * one sleeps, they make thousands of accesses without a stamp, and both may have to wait for its next store.
 *
 * order: random:1
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_uint seen[2], level = 1, stop;
static int steps;

static void *announce(void *arg)
{
	atomic_uint *mine = &seen[(long)arg];
	unsigned last = 0, rounds = 0;

	while (!atomic_load(&stop) || rounds < 3) {
		unsigned now = atomic_load(&level);

		atomic_store(mine, now);
		if (now < last)
			abort();
		last = now;
		atomic_store(mine, 0);
		rounds++;
	}
	return NULL;
}

static void *lead(void *unused)
{
	for (unsigned n = 2; n < 6; n++) {
		pthread_mutex_lock(&lock);
		steps++;
		pthread_mutex_unlock(&lock);
		usleep(100);
		atomic_store(&level, n);
		for (int i = 0; i < 2; i++)
			while (atomic_load(&seen[i]) && atomic_load(&seen[i]) < n)
				usleep(1);
	}
	atomic_store(&stop, 1);
	return unused;
}

int main(void)
{
	pthread_t t[3];

	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, announce, (void *)i);
	pthread_create(&t[2], NULL, lead, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return steps != 4;
}
