/*
 * A detached thread writes its result into a variable of the function that created it.
 * order: 0,1
 * expect: use-after-free
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t done;

struct job {
	int input, result;
};

static void *work(void *arg)
{
	struct job *job = arg;

#ifdef FIXED
	job->result = job->input * 2;
	sem_post(&done);
#else
	sem_post(&done);
	job->result = job->input * 2;
#endif
	return NULL;
}

__attribute__((noinline)) static int start(void)
{
	struct job job = {.input = 21};
	pthread_attr_t attr;
	pthread_t t;

	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_create(&t, &attr, work, &job);
	pthread_attr_destroy(&attr);
	sem_wait(&done);
	return job.input;
}

__attribute__((noinline)) static int fill(int n)
{
	volatile char local[256];

	for (int i = 0; i < 256; i++)
		local[i] = (char)(i + n);
	return local[n];
}

int main(void)
{
	sem_init(&done, 0, 0);
	start();
	fill(7);
	pthread_exit(NULL);
}
