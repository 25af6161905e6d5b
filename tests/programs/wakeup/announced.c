/*
 * A thread says too late that it waits: the post for it is not made.
 * order: creation
 */
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t item;
static int full, waits;

static void *takes(void *arg)
{
	int empty;

	pthread_mutex_lock(&m);
	empty = !full;
#ifndef FIXED
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(&m);
#endif
	waits = empty;
	pthread_mutex_unlock(&m);
	if (empty)
		sem_wait(&item); /* @wait */
	return arg;
}

static void *gives(void *arg)
{
	int post;

	pthread_mutex_lock(&m);
	full = 1;
	post = waits;
	pthread_mutex_unlock(&m);
	if (post)
		sem_post(&item);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	sem_init(&item, 0, 0);
	pthread_create(&a, 0, takes, 0);
	pthread_create(&b, 0, gives, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
