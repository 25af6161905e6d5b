/* Queued real-time signals arrive in their order. */
#include "truth.h"

static int got[3], n;

static void on_signal(int sig, siginfo_t *si, void *context)
{
	(void)sig;
	(void)context;
	if (n < 3)
		got[n++] = si->si_value.sival_int;
}

static void *work(void *unused)
{
	struct sigaction sa = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
	sigset_t set;

	sigaction(SIGRTMIN, &sa, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	tick();
	for (int i = 0; i < 3; i++)
		assert(pthread_sigqueue(pthread_self(), SIGRTMIN, (union sigval){.sival_int = i}) ==
		       0);
	assert(n == 0);
	tick();
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	assert(n == 3 && got[0] == 0 && got[1] == 1 && got[2] == 2);
	return unused;
}

int main(void)
{
	return beside_look(work);
}
