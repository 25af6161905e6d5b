/*
 * A lock made of an exchange, and a mutex.
 * order: creation
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int l;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void lock(void)
{
	while (atomic_exchange(&l, 1))
		;
}

static void *one(void *arg)
{
	lock();
	pthread_mutex_lock(&m);
	x++;
	pthread_mutex_unlock(&m);
	atomic_store(&l, 0);
	return arg;
}

static void *two(void *arg)
{
#ifdef FIXED
	lock();
	pthread_mutex_lock(&m);
#else
	pthread_mutex_lock(&m);
	lock();
#endif
	x++;
	pthread_mutex_unlock(&m);
	atomic_store(&l, 0);
	return arg;
}

int main(void)
{
	pthread_t t, u;

	pthread_create(&t, NULL, one, NULL);
	pthread_create(&u, NULL, two, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
