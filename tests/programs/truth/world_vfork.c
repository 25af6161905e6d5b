/* vfork() and exec: the parent goes on after the exec. */
#include "truth.h"

static void *work(void *unused)
{
	pid_t p;
	int st;

	tick();
	p = vfork();
	if (p == 0) {
		execl("/bin/sh", "sh", "-c", "exit 5", (char *)NULL);
		_exit(127);
	}
	assert(p > 0 && waitpid(p, &st, 0) == p && WEXITSTATUS(st) == 5);
	tick();
	return unused;
}

int main(void)
{
	return beside_look(work);
}
