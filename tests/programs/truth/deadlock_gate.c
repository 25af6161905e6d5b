/* Opposite lock orders behind a gate lock. */
#include "truth.h"

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER, a = PTHREAD_MUTEX_INITIALIZER,
		       b = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void take(pthread_mutex_t *p, pthread_mutex_t *q)
{
	pthread_mutex_lock(&gate);
	pthread_mutex_lock(p);
	pthread_mutex_lock(q);
	x++;
	pthread_mutex_unlock(q);
	pthread_mutex_unlock(p);
	pthread_mutex_unlock(&gate);
}

static void *one(void *unused)
{
	take(&a, &b);
	return unused;
}

static void *two(void *unused)
{
	take(&b, &a);
	return unused;
}

int main(void)
{
	both(one, two, NULL);
	return x != 2;
}
