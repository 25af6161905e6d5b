/* A thread aborts. */
#include "survive.h"

static void *worker(void *arg)
{
	for (int i = 0; i < 1000; i++)
		shared_add(1);
	say("about to abort\n");
	abort();
	return arg;
}

int main(void)
{
	pthread_t t = start(worker, NULL);

	for (int i = 0; i < 1000; i++)
		shared_add(1);
	pthread_join(t, NULL);
	say("not reached\n");
	return 0;
}
