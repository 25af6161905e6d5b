/*
 * A thread waits at a barrier with a mutex that the other one needs before the barrier.
 * order: creation
 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t b;
static int x;

static void *one(void *arg)
{
	pthread_mutex_lock(&m);
	x++;
	pthread_mutex_unlock(&m);
	pthread_barrier_wait(&b);
	return arg;
}

static void *two(void *arg)
{
	pthread_mutex_lock(&m);
	x++;
#ifdef FIXED
	pthread_mutex_unlock(&m);
	pthread_barrier_wait(&b);
#else
	pthread_barrier_wait(&b);
	pthread_mutex_unlock(&m);
#endif
	return arg;
}

int main(void)
{
	pthread_t t, u;

	pthread_barrier_init(&b, NULL, 2);
	pthread_create(&t, NULL, one, NULL);
	pthread_create(&u, NULL, two, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
