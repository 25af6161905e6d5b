/*
 * ppoll() without a limit, ended by a timer's signal.
 *
 * options: --order creation
 */
#include "truth.h"
#include <poll.h>
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
	struct itimerval it = {{0, 0}, {0, 30000}};
	sigset_t s, old;

	sigemptyset(&s);
	sigaddset(&s, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &s, &old);
	sigaction(SIGALRM, &sa, NULL);
	setitimer(ITIMER_REAL, &it, NULL);
	beside_look(work);
	while (!fired)
		assert(ppoll(NULL, 0, NULL, &old) == -1 && errno == EINTR);
	return 0;
}
