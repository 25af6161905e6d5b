/* A child sends its parent a signal; a thread sits in sigtimedwait() until then. */
#include "truth.h"

static sigset_t set;
static pid_t child;

static void *work(void *unused)
{
	struct timespec ts = {30, 0};
	siginfo_t si;

	tick();
	assert(sigtimedwait(&set, &si, &ts) == SIGUSR1);
	assert(si.si_pid == child);
	tick();
	return unused;
}

int main(void)
{
	int st;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	child = fork();
	if (child == 0) {
		usleep(10000);
		kill(getppid(), SIGUSR1);
		_exit(0);
	}
	beside_look(work);
	assert(waitpid(child, &st, 0) == child);
	return st;
}
