/*
 * A signal from another thread wakes a worker that waits for a semaphore. The order for the worker
 * is written after the signal. A handler runs after its signal was sent, so a write before the
 * signal would be correct.
 *
 * expect: data-race order write@late read@take
 * harm: output
 * order: creation
 */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>

static sem_t ready, rung;
static pthread_t worker;
static int order, taken;

static void ring(int sig)
{
	(void)sig;
	sem_post(&rung);
}

static void *work(void *arg)
{
	for (int i = 0; i < 2; i++) {
		sem_post(&ready);
		while (sem_wait(&rung))
			;
	}
	taken = order; /* @take */
	return arg;
}

static void *master(void *arg)
{
	int *n = arg;

	sem_wait(&ready);
	pthread_kill(worker, SIGUSR1);
	sem_wait(&ready);
#ifdef FIXED
	order = *n;
	pthread_kill(worker, SIGUSR1);
#else
	pthread_kill(worker, SIGUSR1);
	order = *n; /* @late */
#endif
	return NULL;
}

int main(void)
{
	struct sigaction sa = {.sa_handler = ring};
	int n = 7;
	pthread_t t;

	sigaction(SIGUSR1, &sa, NULL);
	sem_init(&ready, 0, 0);
	sem_init(&rung, 0, 0);
	pthread_create(&worker, NULL, work, NULL);
	pthread_create(&t, NULL, master, &n);
	pthread_join(t, NULL);
	pthread_join(worker, NULL);
	printf("%d\n", taken);
	return 0;
}
