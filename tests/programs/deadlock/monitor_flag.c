/*
 * A thread waits for a condition with an outer lock, which the signaller needs first.
 * The twin waits without the outer lock.
 *
 * order: creation
 */
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static bool ready;
static int data;

static void *giver(void *arg)
{
	pthread_mutex_lock(&outer);
	data = 1;
	pthread_mutex_unlock(&outer);
	pthread_mutex_lock(&lock);
	ready = true;
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *taker(void *arg)
{
#ifndef FIXED
	pthread_mutex_lock(&outer);
#endif
	pthread_mutex_lock(&lock);
	while (!ready)
		pthread_cond_wait(&cond, &lock);
	pthread_mutex_unlock(&lock);
#ifdef FIXED
	pthread_mutex_lock(&outer);
#endif
	data++;
	pthread_mutex_unlock(&outer);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, giver, NULL);
	pthread_create(&b, NULL, taker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
