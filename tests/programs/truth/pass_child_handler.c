/*
 * A child answers what one thread writes to a pipe with a signal, whose handler tells the other
 * threads.
 */
#include "truth.h"
#include <stdatomic.h>

static int to_child[2], published;
static _Atomic int told;

static void handler(int sig)
{
	(void)sig;
	told = 1;
}

static void *give(void *unused)
{
	sigset_t s;

	sigemptyset(&s);
	sigaddset(&s, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &s, NULL);
	tick();
	published = 1;
	assert(write(to_child[1], "x", 1) == 1);
	return unused;
}

static void *get(void *unused)
{
	while (!told)
		usleep(500);
	assert(published == 1);
	assert(look());
	return unused;
}

int main(void)
{
	pid_t child;

	signal(SIGUSR1, handler);
	assert(pipe(to_child) == 0);
	child = fork();
	if (!child) {
		char c;

		if (read(to_child[0], &c, 1) != 1)
			_exit(1);
		kill(getppid(), SIGUSR1);
		_exit(0);
	}
	both(give, get, NULL);
	while (waitpid(child, NULL, 0) != child)
		;
	return 0;
}
