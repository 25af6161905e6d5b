/*
 * The terminal's Ctrl-C: SIGINT to the whole process group while threads are at work. With
 * "handle", the program has a handler and ends in good order.
 */
#include "survive.h"
#include <signal.h>

static volatile sig_atomic_t stop;

static void on_int(int sig)
{
	(void)sig;
	stop = 1;
}

static void *worker(void *arg)
{
	while (!stop)
		shared_add(1);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t;

	if (argc > 1 && strcmp(argv[1], "handle") == 0)
		signal(SIGINT, on_int);
	t = start(worker, NULL);
	for (int i = 0; i < 1000; i++)
		shared_add(1);
	say("interrupting\n");
	kill(0, SIGINT);
	pthread_join(t, NULL);
	say("ended in good order\n");
	return 3;
}
