/* Two threads: one waits for a child that the other ends. */
#include "truth.h"

static pid_t child;

static void *reap(void *unused)
{
	int st;

	tick();
	assert(waitpid(child, &st, 0) == child);
	assert(WIFSIGNALED(st) && WTERMSIG(st) == SIGTERM);
	tick();
	return unused;
}

static void *end(void *unused)
{
	assert(look());
	assert(kill(child, SIGTERM) == 0);
	return unused;
}

int main(void)
{
	child = fork();
	if (child == 0)
		for (;;)
			pause();
	return both(end, reap, NULL);
}
