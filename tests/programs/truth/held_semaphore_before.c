/*
 * A thread waits with a lock for a flag; a semaphore makes sure that the setter had the lock
 * before.
 */
#include "truth.h"
#include <semaphore.h>
static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t had_it;
static int ready, count;
static void *setter(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&outer);
	count++;
	pthread_mutex_unlock(&outer);
	sem_post(&had_it);
	pthread_mutex_lock(&m);
	ready = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return NULL;
}
static void *waiter(void *unused)
{
	(void)unused;
	sem_wait(&had_it);
	pthread_mutex_lock(&outer);
	pthread_mutex_lock(&m);
	while (!ready)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	assert(count == 1);
	pthread_mutex_unlock(&outer);
	return NULL;
}
int main(void)
{
	sem_init(&had_it, 0, 0);
	return both(setter, waiter, NULL);
}
