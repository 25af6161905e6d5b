/*
 * Signal handlers: with and without siginfo, asked back, replaced, left by longjmp, in a blocked
 * thread.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static int count, with_info, no_wait;
static sigjmp_buf back;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t ready, seen;

static void plain(int sig)
{
	count += sig == SIGUSR1;
}

static void info(int sig, siginfo_t *si, void *context)
{
	with_info += si->si_signo == sig && context != NULL;
	if (no_wait)
		sem_post(&seen);
}

static void jump(int sig)
{
	siglongjmp(back, sig);
}

static void *blocked(void *arg)
{
	sem_post(&ready);
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	struct sigaction a = {.sa_handler = plain}, old;
	pthread_t t;

	sem_init(&ready, 0, 0);
	sem_init(&seen, 0, 0);
	sigaction(SIGUSR1, &a, &old);
	printf("default before %d\n", old.sa_handler == SIG_DFL);
	raise(SIGUSR1);
	memset(&a, 0, sizeof(a));
	a.sa_sigaction = info;
	a.sa_flags = SA_SIGINFO;
	sigaction(SIGUSR1, &a, &old);
	printf("own handler back %d\n", old.sa_handler == plain && !(old.sa_flags & SA_SIGINFO));
	raise(SIGUSR1);
	sigaction(SIGUSR1, NULL, &old);
	printf("asked %d\n", old.sa_sigaction == info && (old.sa_flags & SA_SIGINFO));
	printf("signal() gives %d\n", signal(SIGUSR1, plain) == (void (*)(int))info);
	raise(SIGUSR1);
	printf("signal() gives %d\n", signal(SIGUSR1, SIG_IGN) == plain);
	raise(SIGUSR1);
	printf("ignored before %d\n", signal(SIGUSR1, jump) == SIG_IGN);
	if (!sigsetjmp(back, 1))
		raise(SIGUSR1);
	else
		printf("jumped out\n");
	printf("bad %d\n", sigaction(1000, &a, NULL));
	no_wait = 1;
	sigaction(SIGUSR2, &a, NULL);
	pthread_mutex_lock(&m);
	pthread_create(&t, NULL, blocked, NULL);
	sem_wait(&ready);
	pthread_kill(t, SIGUSR2);
	while (sem_wait(&seen))
		;
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
	printf("plain %d info %d\n", count, with_info);
	return 0;
}
