/*
 * Producers and consumers share one condition variable, so that a signal may wake the wrong kind.
 * Sleeps keep them apart in the recorded run: nobody waits.
 * order: creation
 */
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static int full;
#ifndef FIXED
#define emptied filled
#endif

static void *produce(void *arg)
{
	for (int i = 0; i < 4; i++) {
		usleep(10000);
		pthread_mutex_lock(&m);
		while (full)
			pthread_cond_wait(&emptied, &m);
		full = 1;
		pthread_cond_signal(&filled);
		pthread_mutex_unlock(&m);
	}
	return arg;
}

static void *consume(void *arg)
{
	usleep((unsigned)(uintptr_t)arg);
	for (int i = 0; i < 2; i++) {
		usleep(20000);
		pthread_mutex_lock(&m);
		while (!full)
			pthread_cond_wait(&filled, &m); /* @wait */
		full = 0;
		pthread_cond_signal(&emptied);
		pthread_mutex_unlock(&m);
	}
	return NULL;
}

int main(void)
{
	pthread_t p, a, b;

	pthread_create(&p, NULL, produce, NULL);
	pthread_create(&a, NULL, consume, (void *)5000);
	pthread_create(&b, NULL, consume, (void *)15000);
	pthread_join(p, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
