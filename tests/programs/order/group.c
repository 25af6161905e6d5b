/*
 * A wait group: each task adds itself when it starts, so the main thread may find no task to wait
 * for. The twin adds the tasks before it starts them.
 *
 * order: 0+,1,0+,2,0
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t left = PTHREAD_COND_INITIALIZER;
int running, results;

static void enter(int n)
{
	pthread_mutex_lock(&lock);
	running += n;
	if (!running)
		pthread_cond_broadcast(&left);
	pthread_mutex_unlock(&lock);
}

static void *task(void *arg)
{
#ifndef FIXED
	enter(1);
#endif
	pthread_mutex_lock(&lock);
	results++;
	pthread_mutex_unlock(&lock);
	enter(-1);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++) {
#ifdef FIXED
		enter(1);
#endif
		pthread_create(&t[i], NULL, task, NULL);
	}
	pthread_mutex_lock(&lock);
	while (running)
		pthread_cond_wait(&left, &lock);
	assert(results == 2); /* @fails */
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
