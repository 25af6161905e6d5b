/*
 * Two threads would post, but both need the mutex of the one that waits. In the twin one of them
 * posts without the mutex.
 * order: creation
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *locks(void *arg)
{
	pthread_mutex_lock(&m);
	x++;
	pthread_mutex_unlock(&m);
	sem_post(&s);
	return arg;
}

static void *posts(void *arg)
{
#ifdef FIXED
	sem_post(&s);
	return arg;
#else
	return locks(arg);
#endif
}

static void *waits(void *arg)
{
	pthread_mutex_lock(&m);
	sem_wait(&s);
	x++;
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	pthread_t t, u, v;

	sem_init(&s, 0, 0);
	pthread_create(&t, NULL, locks, NULL);
	pthread_create(&u, NULL, posts, NULL);
	pthread_create(&v, NULL, waits, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	pthread_join(v, NULL);
	return 0;
}
