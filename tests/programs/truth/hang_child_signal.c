/* SIGCHLD wakes a thread that waits for it. */
#include "truth.h"

static sigset_t set;

static void *work(void *unused)
{
	int sig, st;
	pid_t c;

	tick();
	assert(sigwait(&set, &sig) == 0 && sig == SIGCHLD);
	c = waitpid(-1, &st, WNOHANG);
	assert(c > 0 && WEXITSTATUS(st) == 3);
	tick();
	return unused;
}

int main(void)
{
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	if (fork() == 0) {
		usleep(10000);
		_exit(3);
	}
	return beside_look(work);
}
