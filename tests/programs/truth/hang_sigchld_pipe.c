/* A SIGCHLD handler writes to a pipe that a thread polls. */
#include "truth.h"
#include <poll.h>

static int sp[2];

static void h(int n)
{
	int e = errno;

	(void)!write(sp[1], "c", 1);
	errno = e;
}

static void *work(void *unused)
{
	tick();
	int left = 2;
	while (left) {
		struct pollfd f = {sp[0], POLLIN, 0};
		int r = poll(&f, 1, 50);

		if (r < 0) {
			assert(errno == EINTR);
			continue;
		}
		if (r > 0) {
			char b[8];

			(void)!read(sp[0], b, 8);
		}
		int st;
		pid_t p;
		while ((p = waitpid(-1, &st, WNOHANG)) > 0) {
			assert(WIFEXITED(st) && WEXITSTATUS(st) == 3);
			left--;
		}
	}
	tick();
	return unused;
}

int main(void)
{
	assert(!pipe2(sp, O_NONBLOCK | O_CLOEXEC));
	struct sigaction sa = {.sa_handler = h, .sa_flags = SA_RESTART | SA_NOCLDSTOP};
	sigaction(SIGCHLD, &sa, 0);
	for (int i = 0; i < 2; i++)
		if (!fork()) {
			usleep(5000 * (i + 1));
			_exit(3);
		}
	return beside_look(work);
}
