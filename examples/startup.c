/*
 * A worker uses settings that main makes after it has started the worker. The worker happens to
 * have something else to do first, so it always finds them; on a busy day it would follow a null
 * pointer.
 *
 *	forerun-cc -g -pthread startup.c -o startup
 *	forerun run ./startup 3
 *	forerun replay forerun.d/startup.1/1
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct settings {
	int verbose;
	int jobs;
};

static struct settings *settings;
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static int logged;

static void log_line(const char *what, int n)
{
	pthread_mutex_lock(&log_lock);
	printf("%d: %s %d\n", ++logged, what, n);
	pthread_mutex_unlock(&log_lock);
}

static void *worker(void *arg)
{
	(void)arg;
	usleep(100000); /* opens its files, connects to somewhere */
	for (int i = 1; i <= settings->jobs; i++)
		log_line("job", i);
	return NULL;
}

int main(int argc, char **argv)
{
	struct settings *made;
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	made = malloc(sizeof(*made));
	if (!made)
		return 1;
	made->verbose = 0;
	made->jobs = argc > 1 ? atoi(argv[1]) : 2;
	settings = made;
	pthread_join(t, NULL);
	free(settings);
	return 0;
}
