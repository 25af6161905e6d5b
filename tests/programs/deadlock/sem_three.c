/*
 * A cycle of three threads: a semaphore, a mutex and a rwlock.
 * order: creation
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;
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
	pthread_mutex_lock(&m);
	pthread_rwlock_rdlock(&r);
	x++;
	pthread_rwlock_unlock(&r);
	pthread_mutex_unlock(&m);
	return arg;
}

static void *three(void *arg)
{
#ifdef FIXED
	sem_wait(&s);
	pthread_rwlock_wrlock(&r);
#else
	pthread_rwlock_wrlock(&r);
	sem_wait(&s);
#endif
	x++;
	sem_post(&s);
	pthread_rwlock_unlock(&r);
	return arg;
}

int main(void)
{
	pthread_t t, u, v;

	sem_init(&s, 0, 1);
	pthread_create(&t, NULL, one, NULL);
	pthread_create(&u, NULL, two, NULL);
	pthread_create(&v, NULL, three, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	pthread_join(v, NULL);
	return 0;
}
