/*
 * A reader waits behind a writer, which waits for another reader, which waits for a mutex of the
 * first. The rwlock has no initialisation at run time.
 * order: creation
 */
#define _GNU_SOURCE
#include <pthread.h>

static pthread_rwlock_t r = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *one(void *arg)
{
	int v;

	pthread_mutex_lock(&m);
	pthread_rwlock_rdlock(&r);
	v = x;
	pthread_rwlock_unlock(&r);
	pthread_mutex_unlock(&m);
	return v ? NULL : arg;
}

static void *two(void *arg)
{
	int v;

#ifdef FIXED
	pthread_mutex_lock(&m);
	pthread_rwlock_rdlock(&r);
#else
	pthread_rwlock_rdlock(&r);
	pthread_mutex_lock(&m);
#endif
	v = x;
	pthread_mutex_unlock(&m);
	pthread_rwlock_unlock(&r);
	return v ? NULL : arg;
}

static void *three(void *arg)
{
	pthread_rwlock_wrlock(&r);
	x++;
	pthread_rwlock_unlock(&r);
	return arg;
}

int main(void)
{
	pthread_t t, u, v;

	pthread_create(&t, NULL, one, NULL);
	pthread_create(&u, NULL, two, NULL);
	pthread_create(&v, NULL, three, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	pthread_join(v, NULL);
	return 0;
}
