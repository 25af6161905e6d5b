/*
 * Time, random numbers and the process id decide which way it goes, and have to be the same again.
 *
 * expect: data-race shared write@write read@read
 * harm: output
 * order: 0+,1,0
 * twin: no two runs print the same
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned shared, steps[7];

static void *writer(void *arg)
{
	struct timespec t;
	unsigned r;

	if (getrandom(&r, sizeof(r), 0) != sizeof(r))
		abort();
	clock_gettime(CLOCK_MONOTONIC, &t);
	srand((unsigned)t.tv_nsec ^ r ^ (unsigned)getpid());
	for (int i = rand() % 5; i >= 0; i--) {
		pthread_mutex_lock(&m);
		steps[rand() % 7]++;
		pthread_mutex_unlock(&m);
	}
	shared = r | 1; /* @write */
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, writer, NULL);
#ifdef FIXED
	pthread_join(t, NULL);
	printf("%u\n", shared);
#else
	pthread_mutex_lock(&m);
	steps[0]++;
	pthread_mutex_unlock(&m);
	printf("%u\n", shared); /* @read */
	pthread_join(t, NULL);
#endif
	return 0;
}
