/* A thread writes through a null pointer after both threads have worked on shared data. */
#include "survive.h"

static int *volatile nowhere;
static _Atomic int main_done;

static void *worker(void *arg)
{
	for (int i = 0; i < 1000; i++)
		shared_add(1);
	while (!main_done || !asleep(getpid())) /* until main waits in pthread_join */
		sched_yield();
	say("about to crash\n");
	*nowhere = 1;
	return arg;
}

int main(void)
{
	pthread_t t = start(worker, NULL);

	for (int i = 0; i < 1000; i++)
		shared_add(1);
	main_done = 1;
	pthread_join(t, NULL);
	say("not reached\n");
	return 0;
}
