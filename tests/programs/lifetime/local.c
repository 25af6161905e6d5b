/*
 * A thread publishes the address of a thread-local counter, and ends.
 * order: creation
 * expect: use-after-free
 */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

static _Thread_local int counter;
static int *published;
static sem_t ready, used;

static void *owner(void *arg)
{
	counter = 1;
	published = &counter;
	sem_post(&ready);
	sched_yield();
#ifdef FIXED
	sem_wait(&used);
#endif
	return arg;
}

static void *user(void *arg)
{
	sem_wait(&ready);
	++*published;
	sem_post(&used);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	sem_init(&ready, 0, 0);
	sem_init(&used, 0, 0);
	pthread_create(&a, NULL, owner, NULL);
	pthread_create(&b, NULL, user, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
