/*
 * A thread ends the program if the number of workers is not valid. Another thread reads the
 * configuration.
 * The twin reads the configuration before.
 *
 * order: creation
 * harm: exit
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct config {
	int level, workers;
} config;

static void *load(void *arg)
{
	pthread_mutex_lock(&lock);
	config.level = 3;
	config.workers = 4;
	pthread_mutex_unlock(&lock);
	return arg;
}

static int workers(void)
{
	int n;

	pthread_mutex_lock(&lock);
	n = config.workers;
	pthread_mutex_unlock(&lock);
	return n;
}

static void *serve(void *arg)
{
	int n = workers();

	if (n < 1 || n > 64) {
		fprintf(stderr, "bad number of workers: %d\n", n);
		exit(1); /* @fails */
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;

#ifdef FIXED
	load(NULL);
	pthread_create(&a, NULL, workers() ? serve : load, NULL);
#else
	pthread_create(&a, NULL, load, NULL);
#endif
	pthread_create(&b, NULL, serve, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
