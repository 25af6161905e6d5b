/*
 * A function starts a detached thread with a job on its stack, and returns.
 * The twin waits for the thread.
 *
 * order: creation
 * expect: use-after-free
 */
#include <pthread.h>
#include <semaphore.h>

struct job {
	int number, done;
};
static sem_t ready, ended;
static int sum;

static void *run(void *arg)
{
	struct job *j = arg;

#ifndef FIXED
	sem_post(&ready);
#endif
	j->done = j->number * 2;
	sum += j->done;
#ifdef FIXED
	sem_post(&ready);
#endif
	sem_post(&ended);
	return NULL;
}

static __attribute__((noinline)) void start(int n)
{
	struct job j = {n, 0};
	pthread_t t;

	pthread_create(&t, NULL, run, &j);
	pthread_detach(t);
	sem_wait(&ready);
}

int main(void)
{
	sem_init(&ready, 0, 0);
	sem_init(&ended, 0, 0);
	start(3);
	sem_wait(&ended);
	return 0;
}
