/*
 * A signal is sent before the descriptor that shows it exists. Data written before the signal is no
 * race.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <unistd.h>

static sigset_t set;
static int ready, seen;

static void *reader(void *arg)
{
	struct signalfd_siginfo info;
	int fd = signalfd(-1, &set, 0);

	if (read(fd, &info, sizeof(info)) == sizeof(info))
		seen = ready;
	close(fd);
	return arg;
}

int main(void)
{
	pthread_t t;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	pthread_create(&t, NULL, reader, NULL);
	ready = 1;
	kill(getpid(), SIGINT);
	pthread_join(t, NULL);
	printf("seen %d\n", seen);
	return 0;
}
