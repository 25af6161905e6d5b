/*
 * Two threads set both variables, one checks them. After one of the setters, the other changes
 * nothing.
 */
#include <assert.h>
#include <pthread.h>

static int a, b;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#ifdef FIXED
#define IN pthread_mutex_lock(&m)
#define OUT pthread_mutex_unlock(&m)
#else
#define IN (void)m
#define OUT (void)0
#endif

static void *set(void *arg)
{
	IN;
	a = 1;
	b = -1;
	OUT;
	return arg;
}

static void *check(void *arg)
{
	IN;
	assert((a == 0 && b == 0) || (a == 1 && b == -1));
	OUT;
	return arg;
}

int main(void)
{
	pthread_t t, u, v;

	pthread_create(&t, NULL, set, NULL);
	pthread_create(&u, NULL, set, NULL);
	pthread_create(&v, NULL, check, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	pthread_join(v, NULL);
	return 0;
}
