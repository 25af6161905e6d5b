/*
 * main ends with pthread_exit. The others go on, and the last thread of all runs the exit handlers:
 * one of the others, or main ("main"); without a word which it is is luck.
 */
#include "survive.h"

#define WORKERS 4

static pthread_t main_thread;
static pthread_barrier_t together;

static void *worker(void *arg)
{
	pthread_join(main_thread, NULL);
	for (int i = 0; i < 1000; i++)
		shared_add(1);
	printf("still here after main: %ld\n", (long)arg);
	return NULL;
}

static void *racer(void *arg)
{
	shared_add(1);
	pthread_barrier_wait(&together);
	return arg;
}

static void at_the_end(void)
{
	shared_add(1000000000);
	printf("at exit: %ld\n", shared_count);
}

static void __attribute__((destructor)) after_that(void)
{
	shared_add(1000000000);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	pthread_t t[WORKERS];

	main_thread = pthread_self();
	atexit(at_the_end);
	shared_add(1);
	if (!strcmp(how, "other")) {
		start(worker, (void *)1);
		pthread_exit(NULL);
	}
	pthread_barrier_init(&together, NULL, WORKERS + 1);
	for (int i = 0; i < WORKERS; i++)
		t[i] = start(racer, NULL);
	pthread_barrier_wait(&together);
	for (int i = 0; i < WORKERS && !strcmp(how, "main"); i++)
		pthread_join(t[i], NULL);
	pthread_exit(NULL);
}
