/*
 * A worker requires that the server is in the state "running". The server stops in another thread.
 * The twin stops the server after the worker has ended.
 *
 * order: creation
 * harm: assert
 */
#include <assert.h>
#include <pthread.h>

enum state { NEW, RUNNING, STOPPED };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
enum state state = NEW;
int requests;

static void *worker(void *arg)
{
	pthread_mutex_lock(&lock);
	assert(state == RUNNING); /* @fails */
	requests++;
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *stop(void *arg)
{
#ifdef FIXED
	pthread_join(*(pthread_t *)arg, NULL);
#endif
	pthread_mutex_lock(&lock);
	state = STOPPED;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	state = RUNNING;
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, stop, &a);
#ifndef FIXED
	pthread_join(a, NULL);
#endif
	pthread_join(b, NULL);
	return 0;
}
