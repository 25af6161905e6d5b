/*
 * Threads work, then the program replaces itself; with "thread", from a thread while another is at
 * work. By a shell, or by the program that is named second.
 */
#include "survive.h"

static char *other;

static void replace(void)
{
	char *const as_other[] = {other, NULL};
	char *args[] = {"sh", "-c", "echo the next program; exit 4", NULL};

	say("replacing\n");
	if (other)
		execv(other, as_other);
	execv("/bin/sh", args);
	_exit(99);
}

static void *forever(void *arg)
{
	for (;;)
		shared_add(1);
	return arg;
}

static void *worker(void *arg)
{
	for (int i = 0; i < 500; i++)
		shared_add(1);
	if (arg)
		replace();
	return NULL;
}

int main(int argc, char **argv)
{
	int in_thread = argc > 1 && strcmp(argv[1], "thread") == 0;
	pthread_t t;

	if (argc > 2)
		other = argv[2];
	if (in_thread)
		start(forever, NULL);
	t = start(worker, in_thread ? argv : NULL);
	for (int i = 0; i < 500; i++)
		shared_add(1);
	pthread_join(t, NULL);
	/* A failing exec changes nothing: the recording goes on after it. */
	execl("/nonexistent/program", "program", (char *)NULL);
	shared_add(1);
	replace();
	return 0;
}
