/*
 * A call of step() that finds the value stale does not write it. The next call writes, but does not
 * read before: the read of one call and the write of the next are no region. With BUGGY, nothing
 * tells that the value is stale.
 * order: creation
 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value, stale;

__attribute__((noinline)) void step(int look)
{
	int n = 0;

	if (look) {
		pthread_mutex_lock(&lock);
		n = value;
		pthread_mutex_unlock(&lock);
	}
	pthread_mutex_lock(&lock);
	if (!stale)
		value = n + 1;
	stale = 0;
	pthread_mutex_unlock(&lock);
}

static void *worker(void *p)
{
	step(1);
	step(0);
	return p;
}

static void *other(void *p)
{
	pthread_mutex_lock(&lock);
#ifndef BUGGY
	stale = 1;
#endif
	value = 7;
	pthread_mutex_unlock(&lock);
	return p;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, other, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
