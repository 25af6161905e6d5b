/*
 * A logger is closed at shutdown while a worker may still write to it.
 * The twin closes it after the worker has ended.
 *
 * order: 0+,1,0
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct logger {
	char text[64];
	int n;
};
struct logger *logger;

static void *worker(void *arg)
{
	pthread_mutex_lock(&lock);
	logger->text[logger->n++] = 'x'; /* @use */
	pthread_mutex_unlock(&lock);
	return arg;
}

static void close_log(void)
{
	pthread_mutex_lock(&lock);
	logger = NULL;
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	pthread_t t;

	logger = calloc(1, sizeof(*logger));
	pthread_create(&t, NULL, worker, NULL);
#ifndef FIXED
	close_log();
#endif
	pthread_join(t, NULL);
#ifdef FIXED
	close_log();
#endif
	return 0;
}
