/*
 * Two workers tell main that they are ready. main waits for one of them, and frees the semaphore.
 * Nothing else of the block is used.
 * The twin waits for both.
 *
 * order: creation
 * expect: use-after-free
 */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>

static void *work(void *arg)
{
	sem_post(arg);
	return NULL;
}

int main(void)
{
	sem_t *ready = malloc(sizeof(*ready));
	pthread_t a, b;

	sem_init(ready, 0, 0);
	pthread_create(&a, NULL, work, ready);
	pthread_create(&b, NULL, work, ready);
	sched_yield();
	sem_wait(ready);
#ifdef FIXED
	sem_wait(ready);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
#endif
	free(ready);
#ifndef FIXED
	pthread_join(a, NULL);
	pthread_join(b, NULL);
#endif
	return 0;
}
