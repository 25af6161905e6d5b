/* Semaphores: unnamed, named, and each way to wait. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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
	char name[64];
	sem_t *n, *again;
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
	snprintf(name, sizeof(name), "/forerun-test-%d", (int)getpid());
	n = sem_open(name, O_CREAT, 0600, 2);
	if (n == SEM_FAILED) {
		printf("named skipped\n");
		return 0;
	}
	again = sem_open(name, 0);
	sem_unlink(name);
	sem_wait(n);
	printf("named same %d\n", n == again);
	sem_close(again);
	sem_close(n);
	return 0;
}
