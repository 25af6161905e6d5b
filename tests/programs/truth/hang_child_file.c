/* The worker waits for a file that a child makes. */
#include "truth.h"

static void *work(void *unused)
{
	tick();
	while (access("made-by-child", F_OK) != 0)
		usleep(1000);
	tick();
	return unused;
}

int main(void)
{
	pid_t child;
	int st;

	unlink("made-by-child");
	child = fork();
	if (child == 0) {
		usleep(20000);
		_exit(close(open("made-by-child", O_CREAT | O_WRONLY, 0600)) != 0);
	}
	beside_look(work);
	assert(waitpid(child, &st, 0) == child);
	unlink("made-by-child");
	return st;
}
