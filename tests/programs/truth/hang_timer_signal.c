/* A POSIX timer sends a signal that a thread waits for with sigwaitinfo(). */
/* link: -lrt */
#include "truth.h"

static sigset_t set;

static void *work(void *unused)
{
	siginfo_t si;

	tick();
	while (sigwaitinfo(&set, &si) != SIGRTMIN)
		assert(errno == EINTR);
	assert(si.si_value.sival_int == 77);
	tick();
	return unused;
}

int main(void)
{
	struct sigevent ev = {.sigev_notify = SIGEV_SIGNAL};
	struct itimerspec it = {{0, 0}, {0, 5000000}};
	timer_t t;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	ev.sigev_signo = SIGRTMIN;
	ev.sigev_value.sival_int = 77;
	assert(timer_create(CLOCK_MONOTONIC, &ev, &t) == 0);
	assert(timer_settime(t, 0, &it, NULL) == 0);
	beside_look(work);
	return 0;
}
