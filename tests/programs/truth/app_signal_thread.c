/* One thread takes all signals; SIGTERM to the own process ends the others. */
#include "truth.h"
#include <stdatomic.h>

static sigset_t set;
static atomic_int ending;
static int reloads;

static void *signals(void *unused)
{
	for (;;) {
		int sig;

		assert(sigwait(&set, &sig) == 0);
		if (sig == SIGTERM)
			break;
		reloads++;
		tick();
	}
	atomic_store(&ending, 1);
	return unused;
}

static void *work(void *unused)
{
	kill(getpid(), SIGHUP);
	assert(look());
	kill(getpid(), SIGTERM);
	while (!atomic_load(&ending))
		usleep(500);
	return unused;
}

int main(void)
{
	sigemptyset(&set);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	both(signals, work, NULL);
	return reloads > 1;
}
