/* Semaphores: each way to wait, and one that is full. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static sem_t s;

static void *post(void *arg)
{
	sem_post(arg);
	return NULL;
}

static const char *say(int r)
{
	return r ? strerrorname_np(errno) : "0";
}

int main(void)
{
	struct timespec past = {.tv_sec = 1};
	pthread_t t;

	sem_init(&s, 0, 1);
	sem_wait(&s);
	printf("try %s\n", say(sem_trywait(&s)));
	printf("timed %s\n", say(sem_timedwait(&s, &past)));
	printf("clock %s\n", say(sem_clockwait(&s, CLOCK_MONOTONIC, &past)));
	pthread_create(&t, NULL, post, &s);
	sem_wait(&s);
	pthread_join(t, NULL);
	sem_destroy(&s);
	sem_init(&s, 0, SEM_VALUE_MAX);
	printf("full %s\n", say(sem_post(&s)));
	return 0;
}
