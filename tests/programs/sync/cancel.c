/*
 * Cancellation in a wait for a condition (the mutex is held again), a semaphore, a join; and of
 * oneself.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t never, ready;

static void unlock(void *arg)
{
	printf("cleanup, mutex held: %d\n", pthread_mutex_trylock(arg) != 0);
	pthread_mutex_unlock(arg);
}

static void *in_cond(void *arg)
{
	pthread_mutex_lock(&m);
	pthread_cleanup_push(unlock, &m);
	sem_post(&ready);
	for (;;)
		pthread_cond_wait(&c, &m);
	pthread_cleanup_pop(1);
	return arg;
}

static void *in_sem(void *arg)
{
	sem_post(&ready);
	sem_wait(&never);
	return arg;
}

static void *in_join(void *arg)
{
	sem_post(&ready);
	pthread_join(*(pthread_t *)arg, NULL);
	return arg;
}

static void *self(void *arg)
{
	pthread_cancel(pthread_self());
	pthread_testcancel();
	return arg;
}

static void end(pthread_t t, int cancel)
{
	void *r;

	if (cancel) {
		sem_wait(&ready);
		pthread_mutex_lock(&m); /* it waits now, or has not begun to */
		pthread_mutex_unlock(&m);
		pthread_cancel(t);
	}
	pthread_join(t, &r);
	printf("cancelled: %d\n", r == PTHREAD_CANCELED);
}

int main(void)
{
	pthread_t t, u;

	sem_init(&never, 0, 0);
	sem_init(&ready, 0, 0);
	pthread_create(&t, NULL, in_cond, NULL);
	end(t, 1);
	pthread_create(&t, NULL, in_sem, NULL);
	sem_wait(&ready);
	pthread_create(&u, NULL, in_join, &t);
	end(u, 1);
	sem_post(&ready);
	end(t, 1);
	pthread_create(&t, NULL, self, NULL);
	end(t, 0);
	return 0;
}
