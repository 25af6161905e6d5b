/* Signal masks are per thread and read back as set. */
#include "truth.h"

static void *work(void *unused)
{
	sigset_t s, got;

	sigemptyset(&s);
	sigaddset(&s, SIGUSR1);
	tick();
	assert(pthread_sigmask(SIG_SETMASK, &s, NULL) == 0);
	tick();
	assert(pthread_sigmask(SIG_SETMASK, NULL, &got) == 0);
	assert(sigismember(&got, SIGUSR1) == 1 && sigismember(&got, SIGUSR2) == 0);
	return unused;
}

int main(void)
{
	return both(truth_looker, work, NULL);
}
