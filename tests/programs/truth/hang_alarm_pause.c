/* alarm-like one-shot timer ends a pause() loop; the handler sets a flag. */
#include "truth.h"
#include <sys/time.h>

static volatile sig_atomic_t fired;

static void on_alarm(int sig)
{
	(void)sig;
	fired = 1;
}

static void *work(void *unused)
{
	tick();
	tick();
	return unused;
}

int main(void)
{
	struct sigaction sa = {.sa_handler = on_alarm};
	struct itimerval it = {{0, 0}, {0, 20000}};
	sigset_t block, old;

	sigemptyset(&block);
	sigaddset(&block, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &block, &old);
	sigaction(SIGALRM, &sa, NULL);
	beside_look(work);
	setitimer(ITIMER_REAL, &it, NULL);
	while (!fired)
		sigsuspend(&old);
	tick();
	return !fired;
}
