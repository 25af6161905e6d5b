/* 2,000 threads, 200 alive at a time, some detached and alive at exit. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long sum;

static void *add(void *arg)
{
	pthread_mutex_lock(&m);
	sum += (long)arg;
	pthread_mutex_unlock(&m);
	return NULL;
}

static void *forever(void *arg)
{
	for (;;)
		pause();
	return arg;
}

int main(void)
{
	pthread_t t[200];
	int bad = 0;

	for (long round = 0; round < 10; round++) {
		for (long i = 0; i < 200; i++)
			bad += pthread_create(&t[i], NULL, add, (void *)(round * 200 + i)) != 0;
		for (int i = 0; i < 200; i++)
			bad += pthread_join(t[i], NULL) != 0;
	}
	for (int i = 0; i < 10; i++) {
		pthread_create(&t[i], NULL, forever, NULL);
		pthread_detach(t[i]);
	}
	printf("sum %ld bad %d\n", sum, bad);
	return 0;
}
