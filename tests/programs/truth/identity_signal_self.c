/* A signal that a thread sends itself carries the process's own id. */
#include "truth.h"

static volatile sig_atomic_t from, count;

static void on_signal(int sig, siginfo_t *si, void *context)
{
	(void)sig;
	(void)context;
	from = si->si_pid;
	count++;
}

static void *work(void *unused)
{
	struct sigaction sa = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};

	tick();
	sigaction(SIGUSR1, &sa, NULL);
	assert(pthread_kill(pthread_self(), SIGUSR1) == 0);
	assert(from == getpid() && count == 1);
	tick();
	assert(raise(SIGUSR1) == 0);
	assert(from == getpid() && count == 2);
	return unused;
}

int main(void)
{
	return beside_look(work);
}
