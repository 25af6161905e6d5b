/*
 * One thread polls a child with waitpid(WNOHANG) and kill(0); another one makes the child end by
 * closing its pipe.
 */
#include "truth.h"
#include <stdatomic.h>
static int p[2];
static pid_t child;
static atomic_int closed;
static void *poller(void *unused)
{
	int status = 0;
	pid_t r;

	(void)unused;
	while ((r = waitpid(child, &status, WNOHANG)) == 0) {
		assert(!kill(child, 0));
		usleep(500);
	}
	assert(r == child && WEXITSTATUS(status) == 5);
	assert(atomic_load(&closed));
	return NULL;
}
static void *closer(void *unused)
{
	(void)unused;
	atomic_store(&closed, 1);
	close(p[1]);
	return NULL;
}
int main(void)
{
	assert(!pipe(p));
	child = fork();
	if (!child) {
		char c;

		close(p[1]);
		_exit(read(p[0], &c, 1) == 0 ? 5 : 6);
	}
	close(p[0]);
	return both(poller, closer, NULL);
}
