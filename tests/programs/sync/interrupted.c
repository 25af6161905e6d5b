/*
 * Cancelled in the middle of a signal handler that interrupted a wait, where libc lets cancellation
 * come at any instruction; and in plain code, where the program has asked for that itself.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ROUNDS 20

enum how { COND_WAIT, SEM_WAIT, JOIN, PAUSE, ANY_TIME, HOWS };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t none;
static pthread_t main_thread;
static pthread_key_t key;
static atomic_int inside, cancelled, done;
static volatile long shared[8];

static void busy(void)
{
	long after = 0;

	inside = 1;
	/* Until it has been cancelled, and some more. */
	for (long i = 0; after < 2000; i++) {
		shared[i % 8] = i;
		after += cancelled;
	}
}

static void handler(int sig)
{
	(void)sig;
	busy();
}

static void unlock(void *arg)
{
	shared[0]++;
	pthread_mutex_unlock(arg);
}

static void wait_for_ever(enum how how)
{
	switch (how) {
	case COND_WAIT:
		pthread_mutex_lock(&m);
		pthread_cleanup_push(unlock, &m);
		for (;;)
			pthread_cond_wait(&never, &m);
		pthread_cleanup_pop(1);
		break;
	case SEM_WAIT:
		for (;;)
			sem_wait(&none);
	case JOIN:
		pthread_join(main_thread, NULL);
		break;
	default:
		for (;;)
			pause();
	}
}

static void *thread(void *arg)
{
	enum how how = *(enum how *)arg;

	pthread_setspecific(key, malloc(1));
	if (how == ANY_TIME) {
		pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
		for (;;)
			busy();
	}
	wait_for_ever(how);
	return NULL;
}

/* Its work after the cancellation is to be seen. */
static void at_end(void *arg)
{
	free(arg);
	done++;
}

int main(void)
{
	struct sigaction a = {.sa_handler = handler, .sa_flags = SA_RESTART};
	int n = 0;

	main_thread = pthread_self();
	sem_init(&none, 0, 0);
	pthread_key_create(&key, at_end);
	sigaction(SIGUSR1, &a, NULL);
	for (int round = 0; round < ROUNDS; round++) {
		enum how how = round % HOWS;
		pthread_t t;
		void *r;

		inside = cancelled = 0;
		shared[round % 8] = round;
		pthread_create(&t, NULL, thread, &how);
		if (round >= HOWS) /* at first, in the thread's first moments */
			usleep(1000);
		if (how != ANY_TIME)
			pthread_kill(t, SIGUSR1);
		while (!inside)
			sched_yield();
		pthread_cancel(t);
		cancelled = 1;
		pthread_join(t, &r);
		n += r == PTHREAD_CANCELED;
	}
	printf("cancelled %d of %d, %d saw their end\n", n, ROUNDS, done);
	return 0;
}
