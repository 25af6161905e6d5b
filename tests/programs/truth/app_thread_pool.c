/* A pool of three workers with a job list and a count of unfinished jobs. */
#include "truth.h"

static pthread_cond_t more = PTHREAD_COND_INITIALIZER, idle = PTHREAD_COND_INITIALIZER;
static int jobs[8], njobs, unfinished, ending, results[8];

static void *worker(void *unused)
{
	pthread_mutex_lock(&truth_lock);
	for (;;) {
		int j;

		while (!njobs && !ending)
			pthread_cond_wait(&more, &truth_lock);
		if (!njobs)
			break;
		j = jobs[--njobs];
		pthread_mutex_unlock(&truth_lock);
		results[j] = j * j;
		pthread_mutex_lock(&truth_lock);
		if (--unfinished == 0)
			pthread_cond_signal(&idle);
	}
	pthread_mutex_unlock(&truth_lock);
	return unused;
}

int main(void)
{
	pthread_t t[3];
	int sum = 0;

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	pthread_mutex_lock(&truth_lock);
	for (int i = 0; i < 8; i++) {
		jobs[njobs++] = i;
		unfinished++;
	}
	pthread_cond_broadcast(&more);
	while (unfinished)
		pthread_cond_wait(&idle, &truth_lock);
	for (int i = 0; i < 8; i++)
		sum += results[i];
	ending = 1;
	pthread_cond_broadcast(&more);
	pthread_mutex_unlock(&truth_lock);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return sum != 140;
}
