/* One recursive lock and one plain lock, the second always inside. */
#include "truth.h"

static pthread_mutex_t r;
static int x;

static void inner(void)
{
	pthread_mutex_lock(&r);
	tick();
	x++;
	pthread_mutex_unlock(&r);
}

static void *work(void *unused)
{
	pthread_mutex_lock(&r);
	inner();
	inner();
	pthread_mutex_unlock(&r);
	return unused;
}

int main(void)
{
	pthread_mutexattr_t a;

	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&r, &a);
	both(work, work, NULL);
	return x != 4;
}
