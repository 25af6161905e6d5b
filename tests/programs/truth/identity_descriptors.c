/* The lowest free descriptor, dup() and dup2() behave as POSIX says. */
#include "truth.h"

static void *work(void *unused)
{
	int a, b;

	tick();
	a = open("/dev/null", O_RDONLY);
	b = dup(a);
	assert(a >= 0 && b > a);
	close(a);
	tick();
	assert(open("/dev/null", O_WRONLY) == a);
	assert(dup2(a, b) == b);
	assert(fcntl(b, F_GETFD) == 0 && (fcntl(b, F_GETFL) & O_ACCMODE) == O_WRONLY);
	close(a);
	close(b);
	assert(fcntl(b, F_GETFD) == -1 && errno == EBADF);
	tick();
	return unused;
}

int main(void)
{
	return beside_look(work);
}
