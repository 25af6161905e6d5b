/*
 * A semaphore and a mutex, taken in opposite orders.
 * order: creation
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *one(void *arg)
{
	sem_wait(&s);
	pthread_mutex_lock(&m);
	x++;
	pthread_mutex_unlock(&m);
	sem_post(&s);
	return arg;
}

static void *two(void *arg)
{
#ifdef FIXED
	sem_wait(&s);
	pthread_mutex_lock(&m);
#else
	pthread_mutex_lock(&m);
	sem_wait(&s);
#endif
	x++;
	pthread_mutex_unlock(&m);
	sem_post(&s);
	return arg;
}

int main(void)
{
	pthread_t t, u;

	sem_init(&s, 0, 1);
	pthread_create(&t, NULL, one, NULL);
	pthread_create(&u, NULL, two, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
