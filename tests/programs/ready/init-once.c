/*
 * A thread initialises the table that another uses: nothing orders the two. A mutex with a static
 * initialiser needs no call, and one that is destroyed may be initialised again.
 * order: creation
 * spec: init-once
 */
#include <forerun.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, again;
static int *table;

static void *init(void *arg)
{
	FORERUN_EVENT("init", table);
	return arg;
}

static void *use(void *arg)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	FORERUN_EVENT("use", table);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	table = malloc(8);
	for (int i = 0; i < 2; i++) {
		pthread_mutex_init(&again, NULL);
		pthread_mutex_lock(&again);
		pthread_mutex_unlock(&again);
		pthread_mutex_destroy(&again);
	}
	pthread_create(&a, NULL, init, NULL);
#ifdef FIXED
	pthread_join(a, NULL);
#endif
	pthread_create(&b, NULL, use, NULL);
#ifndef FIXED
	pthread_join(a, NULL);
#endif
	pthread_join(b, NULL);
	free(table);
	return 0;
}
