/*
 * Cancellation in a condition wait, in read, at a test point, at any instruction and in a wait with
 * cancellation disabled. A clean-up handler unlocks.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "survive.h"
#include <semaphore.h>

static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t ready, requested;
static pid_t reader;
static int quiet_pipe[2];
static volatile long spins;
static int cleaned;

static void unlock(void *m)
{
	cleaned++;
	pthread_mutex_unlock(m);
}

static void *in_cond_wait(void *arg)
{
	pthread_mutex_lock(&shared_lock);
	pthread_cleanup_push(unlock, &shared_lock);
	sem_post(&ready);
	for (;;)
		pthread_cond_wait(&never, &shared_lock);
	pthread_cleanup_pop(0);
	return arg;
}

static void *in_read(void *arg)
{
	char c;

	reader = gettid();
	sem_post(&ready);
	if (read(quiet_pipe[0], &c, 1) < 0)
		return NULL;
	return arg;
}

static void *at_test_point(void *arg)
{
	sem_post(&ready);
	for (;;) {
		shared_add(1);
		pthread_testcancel();
	}
	return arg;
}

static void *asynchronously(void *arg)
{
	int old;

	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
	sem_post(&ready);
	for (;;)
		spins++;
	return arg;
}

static void *in_wait_disabled(void *arg)
{
	int old;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
	sem_post(&ready);
	while (sem_wait(&requested))
		;
	shared_add(1000000);
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
	pthread_testcancel();
	return arg;
}

/* Waits until the thread, which has posted `ready`, is at the point where main cancels it. */
static void wait_for(void *(*f)(void *))
{
	if (f == in_cond_wait) {
		pthread_mutex_lock(&shared_lock); /* the condition wait releases it */
		pthread_mutex_unlock(&shared_lock);
	} else if (f == in_read) {
		while (!asleep(reader))
			sched_yield();
	} else if (f == at_test_point) {
		long count = 0;

		while (!count) {
			pthread_mutex_lock(&shared_lock);
			count = shared_count;
			pthread_mutex_unlock(&shared_lock);
			sched_yield();
		}
	} else if (f == asynchronously) {
		while (!spins)
			sched_yield();
	}
}

int main(void)
{
	void *(*const all[])(void *) = {in_cond_wait, in_read, at_test_point, asynchronously,
					in_wait_disabled};

	if (pipe(quiet_pipe) || sem_init(&ready, 0, 0) || sem_init(&requested, 0, 0))
		return 99;
	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		pthread_t t = start(all[i], NULL);
		void *result;

		while (sem_wait(&ready))
			;
		wait_for(all[i]);
		pthread_cancel(t);
		if (all[i] == in_wait_disabled)
			sem_post(&requested);
		pthread_join(t, &result);
		printf("%u: %s\n", i, result == PTHREAD_CANCELED ? "cancelled" : "returned");
	}
	shared_add(1);
	printf("cleaned %d, disabled section done %d\n", cleaned, shared_count > 1000000);
	return 0;
}
