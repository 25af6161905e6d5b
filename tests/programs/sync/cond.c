/* Waits: signalled, broadcast, timed out, on a clock, refused. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c;
static sem_t ready;
static int turn, through;

static void *waiter(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&m);
	sem_post(&ready);
	while (turn < 100)
		pthread_cond_wait(&c, &m);
	through++;
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	struct timespec past = {.tv_sec = 1}, bad = {.tv_nsec = -1};
	pthread_t t[3];

	sem_init(&ready, 0, 0);
	pthread_cond_init(&c, NULL);
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, waiter, NULL);
	for (int i = 0; i < 3; i++)
		sem_wait(&ready);
	pthread_mutex_lock(&m);
	pthread_cond_signal(&c);
	turn = 100;
	pthread_cond_broadcast(&c);
	pthread_mutex_unlock(&m);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	printf("through %d\n", through);
	pthread_mutex_lock(&m);
	printf("timed %s\n", strerrorname_np(pthread_cond_timedwait(&c, &m, &past)));
	printf("clock %s\n", strerrorname_np(pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &past)));
	printf("bad %s\n", strerrorname_np(pthread_cond_timedwait(&c, &m, &bad)));
	pthread_mutex_unlock(&m);
	pthread_cond_destroy(&c);
	return 0;
}
