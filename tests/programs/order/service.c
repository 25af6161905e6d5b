/*
 * A client looks for a service that is registered after the client has started.
 * The twin registers it before.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int services[4], n;

static void publish(int id)
{
	pthread_mutex_lock(&lock);
	services[n++] = id;
	pthread_mutex_unlock(&lock);
}

static void *client(void *arg)
{
	int found = 0;

	pthread_mutex_lock(&lock);
	for (int i = 0; i < n; i++)
		found |= services[i] == 7;
	pthread_mutex_unlock(&lock);
	if (!found)
		abort(); /* @fails */
	return arg;
}

int main(void)
{
	pthread_t t;

#ifdef FIXED
	publish(7);
#endif
	pthread_create(&t, NULL, client, NULL);
#ifndef FIXED
	publish(7);
#endif
	pthread_join(t, NULL);
	return 0;
}
