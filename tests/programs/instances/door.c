/*
 * The visitor is harmed only if it looks before `x` is set, and goes on before the door is closed.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int x;
static atomic_int open;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *host(void *arg)
{
#ifdef FIXED
	pthread_mutex_lock(&m);
#endif
	atomic_store(&open, 1);
	x = 1;
	atomic_store(&open, 0);
#ifdef FIXED
	pthread_mutex_unlock(&m);
#endif
	return arg;
}

static void *visitor(void *arg)
{
	int was;

#ifdef FIXED
	pthread_mutex_lock(&m);
#endif
	was = x;
	assert(was || !atomic_load(&open));
#ifdef FIXED
	pthread_mutex_unlock(&m);
#endif
	return arg;
}

int main(void)
{
	pthread_t t, u;

	(void)m;
	pthread_create(&t, NULL, host, NULL);
	pthread_create(&u, NULL, visitor, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
