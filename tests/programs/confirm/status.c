/*
 * The exit status depends on the order of the two threads.
 *
 * expect: data-race failed write@set read@get
 * harm: exit exit status 1, but 0 in the recorded run
 * order: 0+,1,0
 */
#include <pthread.h>
#include <stdlib.h>

static int failed = 1;

static void *worker(void *arg)
{
	failed = 0; /* @set */
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
#ifdef FIXED
	pthread_join(t, NULL);
	return failed;
#else
	exit(failed); /* @get */
#endif
}
