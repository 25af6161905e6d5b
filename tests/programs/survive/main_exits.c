/* main ends with pthread_exit; the others go on, and the last one decides. */
#include "survive.h"

static pthread_t main_thread;

static void *worker(void *arg)
{
	pthread_join(main_thread, NULL);
	for (int i = 0; i < 1000; i++)
		shared_add(1);
	printf("still here after main: %ld\n", (long)arg);
	return NULL;
}

static void at_the_end(void)
{
	printf("at exit: %ld\n", shared_count);
}

int main(void)
{
	main_thread = pthread_self();
	atexit(at_the_end);
	start(worker, (void *)1);
	shared_add(1);
	pthread_exit(NULL);
}
