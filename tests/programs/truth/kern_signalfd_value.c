/* sigqueue carries an index into a table to a thread that reads a signalfd. */
#include "truth.h"
#include <sys/signalfd.h>
static int fd, table[3];
static void *sender(void *unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++) {
		table[i] = 100 + i;
		assert(!sigqueue(getpid(), SIGRTMIN + 1, (union sigval){.sival_int = i}));
	}
	return NULL;
}
static void *receiver(void *unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++) {
		struct signalfd_siginfo s;

		assert(read(fd, &s, sizeof(s)) == sizeof(s));
		assert(s.ssi_int == i && table[i] == 100 + i);
	}
	return NULL;
}
int main(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN + 1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, SFD_CLOEXEC);
	assert(fd >= 0);
	return both(receiver, sender, NULL);
}
