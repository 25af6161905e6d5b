/*
 * A configuration is taken away and replaced in two lock regions; a reader may come between them.
 * The twin replaces it in one.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct config {
	int limit;
};
struct config *config;

static void *first(void *arg)
{
	int limit;

	pthread_mutex_lock(&lock);
	limit = config->limit; /* @use */
	pthread_mutex_unlock(&lock);
	return limit ? arg : NULL;
}

static void *second(void *arg)
{
	struct config *new;

	pthread_mutex_lock(&lock);
#ifndef FIXED
	config = NULL;
	pthread_mutex_unlock(&lock);
#endif
	new = malloc(sizeof(*new));
	new->limit = 20;
#ifndef FIXED
	pthread_mutex_lock(&lock);
#endif
	config = new;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	config = malloc(sizeof(*config));
	config->limit = 10;
	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
