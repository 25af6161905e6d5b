/*
 * A flag says that the message is there before it is. The receiver waits for the flag.
 * The twin stores the message first.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int ready, *message, text = 5;

static void announce(void)
{
	pthread_mutex_lock(&lock);
	ready = 1;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
}

static void *first(void *arg)
{
#ifndef FIXED
	announce();
#endif
	pthread_mutex_lock(&lock);
	message = &text;
	pthread_mutex_unlock(&lock);
#ifdef FIXED
	announce();
#endif
	return arg;
}

static void *second(void *arg)
{
	pthread_mutex_lock(&lock);
	while (!ready)
		pthread_cond_wait(&changed, &lock);
	*message = 6; /* @use */
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
