/* Threads: children of children, every join, detach, a creation that fails, handles used again. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <semaphore.h>

static sem_t go;

static void *leaf(void *arg)
{
	return arg;
}

static void *parent(void *arg)
{
	pthread_t t;

	pthread_create(&t, NULL, leaf, arg);
	pthread_join(t, &arg);
	return arg;
}

static void *slow(void *arg)
{
	sem_wait(&go);
	return arg;
}

static void *detach_self(void *arg)
{
	pthread_detach(pthread_self());
	sem_post(arg);
	return NULL;
}

int main(void)
{
	struct timespec past = {.tv_sec = 1}, later;
	pthread_attr_t a;
	pthread_t t;
	void *r = NULL;

	sem_init(&go, 0, 0);
	pthread_create(&t, NULL, parent, &r);
	pthread_join(t, &r);
	printf("grandchild %d\n", r == &r);
	pthread_create(&t, NULL, slow, NULL);
	printf("try %s\n", strerrorname_np(pthread_tryjoin_np(t, NULL)));
	printf("timed %s\n", strerrorname_np(pthread_timedjoin_np(t, NULL, &past)));
	sem_post(&go);
	clock_gettime(CLOCK_MONOTONIC, &later);
	later.tv_sec += 100;
	printf("clock %s\n", strerrorname_np(pthread_clockjoin_np(t, NULL, CLOCK_MONOTONIC, &later)));
	pthread_attr_init(&a);
	pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
	pthread_create(&t, &a, slow, NULL);
	sem_post(&go);
	pthread_create(&t, NULL, detach_self, &go);
	sem_wait(&go);
	pthread_create(&t, NULL, leaf, NULL);
	pthread_detach(t);
	pthread_attr_setdetachstate(&a, PTHREAD_CREATE_JOINABLE);
	pthread_attr_setstacksize(&a, (size_t)1 << 46);
	printf("too big %s\n", strerrorname_np(pthread_create(&t, &a, leaf, NULL)));
	printf("join self %s\n", strerrorname_np(pthread_join(pthread_self(), NULL)));
	for (int i = 0; i < 10; i++) {
		pthread_create(&t, NULL, leaf, NULL);
		pthread_join(t, NULL);
	}
	return 0;
}
