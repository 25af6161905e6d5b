/* sigqueue() to the own process: a blocked thread takes it with its value and sender. */
#include "truth.h"

static sigset_t set;

static void *work(void *unused)
{
	siginfo_t si;

	tick();
	assert(sigqueue(getpid(), SIGRTMIN + 1, (union sigval){.sival_int = 12}) == 0);
	tick();
	while (sigwaitinfo(&set, &si) < 0)
		assert(errno == EINTR);
	assert(si.si_signo == SIGRTMIN + 1 && si.si_value.sival_int == 12);
	assert(si.si_pid == getpid() && si.si_uid == getuid() && si.si_code == SI_QUEUE);
	return unused;
}

int main(void)
{
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN + 1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	return beside_look(work);
}
