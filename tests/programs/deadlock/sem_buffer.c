/*
 * A bounded buffer that waits for a free place while it holds the mutex.
 * order: creation
 */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

#define ITEMS 3

static sem_t empty, full;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *one(void *arg)
{
	for (int i = 0; i < ITEMS; i++) {
#ifdef FIXED
		sem_wait(&empty);
		pthread_mutex_lock(&m);
#else
		pthread_mutex_lock(&m);
		sem_wait(&empty);
#endif
		count++;
		pthread_mutex_unlock(&m);
		sem_post(&full);
		sched_yield();
	}
	return arg;
}

static void *two(void *arg)
{
	for (int i = 0; i < ITEMS; i++) {
		sem_wait(&full);
		pthread_mutex_lock(&m);
		count--;
		pthread_mutex_unlock(&m);
		sem_post(&empty);
	}
	return arg;
}

int main(void)
{
	pthread_t t, u;

	sem_init(&empty, 0, ITEMS - 1);
	sem_init(&full, 0, 0);
	pthread_create(&t, NULL, one, NULL);
	pthread_create(&u, NULL, two, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
