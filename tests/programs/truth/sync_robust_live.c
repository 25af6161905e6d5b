/* Two threads compete for a robust mutex; one may find the other dead. */
#include "truth.h"

static pthread_mutex_t m;
static int x;

static void enter(void)
{
	int r = pthread_mutex_lock(&m);

	if (r == EOWNERDEAD)
		r = pthread_mutex_consistent(&m);
	assert(r == 0);
}

static void *dies(void *unused)
{
	enter();
	x++;
	return unused;
}

static void *lives(void *unused)
{
	enter();
	x++;
	pthread_mutex_unlock(&m);
	return unused;
}

int main(void)
{
	pthread_mutexattr_t a;

	pthread_mutexattr_init(&a);
	pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&m, &a);
	both(dies, lives, NULL);
	return x != 2;
}
