/*
 * A meter that is read out by a signal handler; the scale is set after the reader may have started.
 * Before that: signals sent by raise, kill and pthread_kill, handlers that count and post a
 * semaphore, a mask.
 *
 * expect: data-race scale write@set read@divide
 * harm: crash ticker.c:@divide
 * order: creation
 */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int ticks;
static volatile sig_atomic_t last;
static sem_t ready;
static int scale, reading = 840;

static void tick(int sig)
{
	last = sig;
	atomic_fetch_add(&ticks, 1);
	sem_post(&ready);
}

static void *meter(void *arg)
{
	sigset_t set;

	pthread_kill(pthread_self(), SIGUSR2);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	raise(SIGUSR1);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
#ifdef FIXED
	scale = arg ? 20 : 21;
#endif
	sem_post(&ready);
#ifndef FIXED
	scale = arg ? 20 : 21; /* @set */
#endif
	return arg;
}

static void *reader(void *arg)
{
	for (int i = 0; i < 4; i++)
		sem_wait(&ready);
	printf("%d\n", reading / scale); /* @divide */
	return arg;
}

int main(void)
{
	struct sigaction sa = {.sa_handler = tick, .sa_flags = SA_RESTART};
	pthread_t t1, t2;

	sem_init(&ready, 0, 0);
	sigaction(SIGUSR1, &sa, NULL);
	sigaction(SIGUSR2, &sa, NULL);
	kill(getpid(), SIGUSR1);
	pthread_create(&t1, NULL, meter, &ready);
	pthread_create(&t2, NULL, reader, NULL);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	reading = atomic_load(&ticks);
	return reading != 3;
}
