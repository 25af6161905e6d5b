/* The child of a program with one thread starts threads of its own. */
#include "truth.h"

static void *work(void *unused)
{
	tick();
	return unused;
}

int main(void)
{
	pid_t p = fork();
	int st;

	if (p == 0) {
		both(work, work, NULL);
		_exit(truth_count != 2);
	}
	beside_look(work);
	assert(waitpid(p, &st, 0) == p);
	return st;
}
