/* Two locks in opposite orders, with trylock and back-off. No deadlock. */
#include "truth.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void take(pthread_mutex_t *first, pthread_mutex_t *second)
{
	for (;;) {
		pthread_mutex_lock(first);
		if (pthread_mutex_trylock(second) == 0)
			break;
		pthread_mutex_unlock(first);
		sched_yield();
	}
	x++;
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
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
