/* A child's end shows in poll() on its descriptor. */
#include "truth.h"
#include <poll.h>
#include <sys/syscall.h>

static void *work(void *unused)
{
	tick();
	pid_t c = fork();
	if (!c) {
		usleep(15000);
		_exit(6);
	}
	int fd = syscall(SYS_pidfd_open, c, 0);
	assert(fd >= 0);
	struct pollfd f = {fd, POLLIN, 0};
	int r;
	while ((r = poll(&f, 1, 5)) <= 0)
		;
	int st;
	assert(waitpid(c, &st, 0) == c && WEXITSTATUS(st) == 6);
	close(fd);
	tick();
	return unused;
}

int main(void)
{
	return beside_look(work);
}
