/*
 * A reader takes a rwlock that prefers writers a second time, behind a writer that waits. By
 * default rwlocks prefer readers.
 * order: creation
 */
#define _GNU_SOURCE
#include <pthread.h>

static pthread_rwlock_t r;
static int x, seen;

static int get(void)
{
	int v;

	pthread_rwlock_rdlock(&r); /* @wait */
	v = x;
	pthread_rwlock_unlock(&r);
	return v;
}

static void *one(void *arg)
{
	pthread_rwlock_rdlock(&r);
	seen = x + get();
	pthread_rwlock_unlock(&r);
	return arg;
}

static void *two(void *arg)
{
	pthread_rwlock_wrlock(&r);
	x++;
	pthread_rwlock_unlock(&r);
	return arg;
}

int main(void)
{
	pthread_rwlockattr_t attr;
	pthread_t t, u;

	pthread_rwlockattr_init(&attr);
#ifndef FIXED
	pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
#endif
	pthread_rwlock_init(&r, &attr);
	pthread_create(&t, NULL, one, NULL);
	pthread_create(&u, NULL, two, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return seen > 2;
}
