/*
 * A thread that waits for a signal and then saves what the workers have done so far, as programs do
 * that are interrupted and go on later. The signal orders what main did before it sent the signal.
 * Nothing orders what the workers count.
 *
 * saver HOW: HOW is two letters. The first is the wait (w: sigwait, i: sigwaitinfo, t:
 * sigtimedwait, f: a descriptor, p: a descriptor after poll). The second is the sender (k: kill, p:
 * pthread_kill, q: sigqueue, a: the clock; c: nobody, main cancels the thread). In the recorded
 * order, a sleep lets other threads run, and takes no real time.
 * order: creation
 */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <unistd.h>

#define WORKERS 2

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static const char *how;
static sigset_t set;
static long written, saved, ready, seen, begun;
static int got, tries, mine;

static void *work(void *arg)
{
	for (int i = 0; i < 4; i++) {
		usleep(3000);
		if (i == 1)
			begun++; /* @late */
		pthread_mutex_lock(&m);
		written += 10; /* @work */
		pthread_mutex_unlock(&m);
	}
	return arg;
}

static int wait_for(void)
{
	struct timespec ms = {.tv_nsec = 1000000};
	struct signalfd_siginfo info;
	siginfo_t si;
	int sig = 0, fd;

	switch (*how) {
	case 'i':
		sig = sigwaitinfo(&set, &si);
		mine = si.si_pid == getpid();
		return sig;
	case 't':
		while ((sig = sigtimedwait(&set, NULL, &ms)) < 0)
			tries++;
		return sig;
	case 'f':
	case 'p':
		fd = signalfd(-1, &set, 0);
		if (*how == 'p')
			poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, -1);
		if (read(fd, &info, sizeof(info)) == sizeof(info))
			sig = (int)info.ssi_signo;
		close(fd);
		return sig;
	default:
		sigwait(&set, &sig);
		return sig;
	}
}

static void *save(void *arg)
{
	begun++; /* @begun */
	got = wait_for();
	seen = ready;	 /* @seen */
	saved = written; /* @save */
	return arg;
}

int main(int argc, char **argv)
{
	struct itimerval soon = {.it_value.tv_usec = 8000};
	pthread_t saver, t[WORKERS];

	how = argc > 1 ? argv[1] : "wk";
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	pthread_create(&saver, NULL, save, NULL);
	for (int i = 0; i < WORKERS; i++)
		pthread_create(&t[i], NULL, work, NULL);
	usleep(8000);
	ready = 1; /* @ready */
	switch (how[1]) {
	case 'p':
		pthread_kill(saver, SIGINT);
		break;
	case 'q':
		sigqueue(getpid(), SIGINT, (union sigval){.sival_int = 1});
		break;
	case 'c':
		pthread_cancel(saver);
		break;
	case 'a':
		setitimer(ITIMER_REAL, &soon, NULL);
		break;
	default:
		kill(getpid(), SIGINT);
	}
	pthread_join(saver, NULL);
	printf("got %d, ready %ld, saved %ld, mine %d\n", got, seen, saved, mine);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(t[i], NULL);
	printf("written %ld, tries %d\n", written, tries);
	return 0;
}
