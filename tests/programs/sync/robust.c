/* A robust mutex whose owner dies, and one that is given up for good. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t m;

static void *die(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&m);
	return NULL;
}

int main(void)
{
	pthread_mutexattr_t a;
	pthread_t t;

	pthread_mutexattr_init(&a);
	pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&m, &a);
	for (int i = 0; i < 2; i++) {
		pthread_create(&t, NULL, die, NULL);
		pthread_join(t, NULL);
		printf("lock %s\n", strerrorname_np(pthread_mutex_lock(&m)));
		if (i == 0)
			printf("consistent %s\n", strerrorname_np(pthread_mutex_consistent(&m)));
		printf("unlock %s\n", strerrorname_np(pthread_mutex_unlock(&m)));
	}
	printf("lock %s\n", strerrorname_np(pthread_mutex_lock(&m)));
	return 0;
}
