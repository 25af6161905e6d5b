/*
 * A unit of a semaphore goes from thread to thread. The last thread keeps it, and may come first.
 * order: creation
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *passes_on(void *arg)
{
	sem_wait(&s); /* @wait */
	sem_post(&s);
	return arg;
}

static void *keeps(void *arg)
{
	sem_wait(&s);
#ifdef FIXED
	sem_post(&s);
#endif
	return arg;
}

int main(void)
{
	pthread_t a, b;

	sem_init(&s, 0, 1);
	pthread_create(&a, 0, passes_on, 0);
	pthread_create(&b, 0, keeps, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
