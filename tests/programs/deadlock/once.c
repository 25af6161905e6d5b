/*
 * The routine of a once takes a mutex whose holder calls the once.
 * order: creation
 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int x, table;

static void init(void)
{
	pthread_mutex_lock(&m);
	table = 1;
	pthread_mutex_unlock(&m);
}

static void *one(void *arg)
{
	pthread_once(&once, init);
	return arg;
}

static void *two(void *arg)
{
#ifdef FIXED
	pthread_once(&once, init);
	pthread_mutex_lock(&m);
#else
	pthread_mutex_lock(&m);
	pthread_once(&once, init);
#endif
	x += table;
	pthread_mutex_unlock(&m);
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
