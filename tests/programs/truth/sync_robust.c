/* The owner of a robust mutex ends; the next owner repairs the state. */
#include "truth.h"

static pthread_mutex_t m;
static int x;

static void *dies(void *unused)
{
	pthread_mutex_lock(&m);
	x = 1;
	return unused; /* keeps the lock */
}

int main(void)
{
	pthread_mutexattr_t a;
	pthread_t t;
	int r;

	pthread_mutexattr_init(&a);
	pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&m, &a);
	pthread_create(&t, NULL, dies, NULL);
	pthread_join(t, NULL);
	r = pthread_mutex_lock(&m);
	assert(r == EOWNERDEAD);
	x++;
	pthread_mutex_consistent(&m);
	pthread_mutex_unlock(&m);
	assert(pthread_mutex_lock(&m) == 0);
	pthread_mutex_unlock(&m);
	return x != 2;
}
