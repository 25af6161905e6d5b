/* The lock order changes after a barrier: the two orders never meet. */
#include "truth.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t bar;
static int x;

static void take(pthread_mutex_t *p, pthread_mutex_t *q)
{
	pthread_mutex_lock(p);
	pthread_mutex_lock(q);
	x++;
	pthread_mutex_unlock(q);
	pthread_mutex_unlock(p);
}

static void *work(void *unused)
{
	take(&a, &b);
	pthread_barrier_wait(&bar);
	take(&b, &a);
	return unused;
}

int main(void)
{
	pthread_barrier_init(&bar, NULL, 2);
	both(work, work, NULL);
	return x != 4;
}
