/* A handler that another thread's signal starts. The receiver then owns the plain record. */
#include "truth.h"
#include <sys/syscall.h>

static pthread_t hears;
static pthread_barrier_t bar;
static volatile sig_atomic_t got;

static void on_signal(int sig)
{
	got = sig;
}
static int record[2];

static void *sender(void *unused)
{
	record[0] = 3;
	record[1] = 4;
	pthread_barrier_wait(&bar);
	assert(pthread_kill(hears, SIGUSR1) == 0);
	return unused;
}

static void *receiver(void *unused)
{
	sigset_t s, none;

	sigemptyset(&none);
	sigemptyset(&s);
	sigaddset(&s, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &s, NULL);
	hears = pthread_self();
	pthread_barrier_wait(&bar);
	while (!got)
		sigsuspend(&none);
	assert(record[0] + record[1] == 7);
	record[0] = 0;
	return unused;
}

int main(void)
{
	signal(SIGUSR1, on_signal);
	pthread_barrier_init(&bar, NULL, 2);
	both(receiver, sender, NULL);
	return record[0];
}
