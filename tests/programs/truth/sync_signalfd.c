/* A signal read from a signalfd orders the threads. */
#include "truth.h"
#include <sys/signalfd.h>

static int fd, value;

static void *teller(void *unused)
{
	value = 11;
	assert(kill(getpid(), SIGUSR1) == 0);
	return unused;
}

static void *reader(void *unused)
{
	struct signalfd_siginfo si;

	assert(read(fd, &si, sizeof(si)) == sizeof(si));
	assert(si.ssi_signo == SIGUSR1 && value == 11);
	value = 12;
	return unused;
}

int main(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, 0);
	both(reader, teller, NULL);
	return value != 12;
}
