/*
 * In each round the worker must enter the barrier, but needs a semaphore that the leader keeps.
 * order: creation
 */
#include <pthread.h>
#include <semaphore.h>

#define ROUNDS 3

static sem_t s;
static pthread_barrier_t b;
static int x;

static void *one(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		sem_wait(&s);
		x++;
		sem_post(&s);
		pthread_barrier_wait(&b);
		pthread_barrier_wait(&b);
	}
	return arg;
}

static void *two(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		sem_wait(&s);
#ifdef FIXED
		sem_post(&s);
#endif
		pthread_barrier_wait(&b);
#ifndef FIXED
		sem_post(&s);
#endif
		pthread_barrier_wait(&b);
	}
	return arg;
}

int main(void)
{
	pthread_t t, u;

	sem_init(&s, 0, 1);
	pthread_barrier_init(&b, NULL, 2);
	pthread_create(&t, NULL, one, NULL);
	pthread_create(&u, NULL, two, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
