/* A thread calls _exit (or, with an argument, quick_exit or _Exit) while the others are at work. */
#include "survive.h"

static const char *how;

static void *worker(void *arg)
{
	for (int i = 0; i < 1000; i++)
		shared_add(1);
	say("leaving\n");
	if (strcmp(how, "quick_exit") == 0)
		quick_exit(7);
	if (strcmp(how, "_Exit") == 0)
		_Exit(7);
	if (strcmp(how, "exit") == 0)
		exit(7);
	_exit(7);
	return arg;
}

int main(int argc, char **argv)
{
	how = argc > 1 ? argv[1] : "_exit";
	start(worker, NULL);
	for (;;) {
		shared_add(1);
		usleep(10);
	}
}
