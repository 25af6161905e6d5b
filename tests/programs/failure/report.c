/* A sanitizer reports an error of the program, which continues. With -DFIXED it does not. */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>

static int number = INT_MAX;

static void *worker(void *arg)
{
#ifdef FIXED
	number--;
#else
	number++;
#endif
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	pthread_join(t, NULL);
	fprintf(stderr, "file: runtime error: no report of a sanitizer\n");
	return number == 0;
}
