/* Every type of mutex, every way to take it, every outcome. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t normal, recursive, errorcheck, adaptive;

static void make(pthread_mutex_t *m, int type)
{
	pthread_mutexattr_t a;

	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, type);
	pthread_mutex_init(m, &a);
	pthread_mutexattr_destroy(&a);
}

static void *other(void *arg)
{
	struct timespec past = {.tv_sec = 1};

	printf("try %s\n", strerrorname_np(pthread_mutex_trylock(arg)));
	printf("timed %s\n", strerrorname_np(pthread_mutex_timedlock(arg, &past)));
	printf("clock %s\n", strerrorname_np(pthread_mutex_clocklock(arg, CLOCK_MONOTONIC, &past)));
	return NULL;
}

static void *unlock(void *arg)
{
	printf("unlock by another %s\n", strerrorname_np(pthread_mutex_unlock(arg)));
	return NULL;
}

static void in_thread(void *(*f)(void *), pthread_mutex_t *m)
{
	pthread_t t;

	pthread_create(&t, NULL, f, m);
	pthread_join(t, NULL);
}

int main(void)
{
	make(&normal, PTHREAD_MUTEX_NORMAL);
	make(&recursive, PTHREAD_MUTEX_RECURSIVE);
	make(&errorcheck, PTHREAD_MUTEX_ERRORCHECK);
	make(&adaptive, PTHREAD_MUTEX_ADAPTIVE_NP);
	pthread_mutex_lock(&normal);
	in_thread(other, &normal);
	pthread_mutex_unlock(&normal);
	pthread_mutex_lock(&recursive);
	pthread_mutex_lock(&recursive);
	in_thread(unlock, &recursive);
	pthread_mutex_unlock(&recursive);
	pthread_mutex_unlock(&recursive);
	pthread_mutex_lock(&errorcheck);
	printf("again %s\n", strerrorname_np(pthread_mutex_lock(&errorcheck)));
	pthread_mutex_unlock(&errorcheck);
	printf("unlock %s\n", strerrorname_np(pthread_mutex_unlock(&errorcheck)));
	pthread_mutex_lock(&adaptive);
	pthread_mutex_unlock(&adaptive);
	pthread_mutex_destroy(&normal);
	pthread_mutex_destroy(&recursive);
	pthread_mutex_destroy(&errorcheck);
	pthread_mutex_destroy(&adaptive);
	return 0;
}
