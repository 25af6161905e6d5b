/*
 * Two threads, one lock: a program that runs in any surroundings. Prints its folder and its
 * arguments.
 */
#include "survive.h"

static void *worker(void *arg)
{
	for (int i = 0; i < 1000; i++)
		shared_add(1);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t = start(worker, NULL);

	worker(NULL);
	pthread_join(t, NULL);
	printf("%ld", shared_count);
	for (int i = 1; i < argc; i++)
		printf(" %s", argv[i]);
	printf("\n");
	return 0;
}
