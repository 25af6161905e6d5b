/*
 * A thread writes to a job in the frame of the function that created it, which is inlined into
 * main: main still runs.
 * The twin waits for the thread before the job ends.
 *
 * expect: use-after-free
 * order: 0+,1,0
 */
#include <pthread.h>
#include <stdio.h>

struct job {
	int from, to, sum;
};

static void *add(void *arg)
{
	struct job *job = arg;

	for (int i = job->from; i < job->to; i++)
		job->sum += i;
	return NULL;
}

static inline __attribute__((always_inline)) pthread_t start(int from, int to)
{
	struct job job = {from, to, 0};
	pthread_t t;

	pthread_create(&t, NULL, add, &job);
#ifdef FIXED
	pthread_join(t, NULL);
#endif
	return t;
}

int main(void)
{
	pthread_t t = start(1, 9);

	puts("started");
#ifndef FIXED
	pthread_join(t, NULL);
#endif
	return 0;
}
