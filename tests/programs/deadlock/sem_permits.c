/*
 * Two permits: both are taken by threads that need the mutex, whose holder needs a permit. In the
 * twin there is a third permit.
 * order: creation
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t permits;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *works(void *arg)
{
	sem_wait(&permits);
	pthread_mutex_lock(&m);
	x++;
	pthread_mutex_unlock(&m);
	sem_post(&permits);
	return arg;
}

static void *cleans(void *arg)
{
	pthread_mutex_lock(&m);
	sem_wait(&permits);
	x = 0;
	sem_post(&permits);
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	pthread_t t, u, v;

#ifdef FIXED
	sem_init(&permits, 0, 3);
#else
	sem_init(&permits, 0, 2);
#endif
	pthread_create(&t, NULL, works, NULL);
	pthread_create(&u, NULL, works, NULL);
	pthread_create(&v, NULL, cleans, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	pthread_join(v, NULL);
	return 0;
}
