/*
 * A rendezvous: the thread that finds the other there already does not tell it.
 * order: creation
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t first, second;

static void *one(void *arg)
{
#ifndef FIXED
	if (sem_trywait(&second) == 0)
		return arg;
#endif
	sem_post(&first);
	sem_wait(&second);
	return arg;
}

static void *two(void *arg)
{
	sem_post(&second);
	sem_wait(&first); /* @wait */
	return arg;
}

int main(void)
{
	pthread_t a, b;

	sem_init(&first, 0, 0);
	sem_init(&second, 0, 0);
	pthread_create(&a, 0, one, 0);
	pthread_create(&b, 0, two, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
