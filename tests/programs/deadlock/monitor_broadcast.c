/*
 * A nested monitor with two threads that would wake the waiting one. In the twin one of them does
 * not need the outer mutex.
 * order: 0,2,3,1
 */
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, x;

static void wake(void)
{
	pthread_mutex_lock(&inner);
	ready = 1;
	pthread_cond_broadcast(&c);
	pthread_mutex_unlock(&inner);
}

static void *waits(void *arg)
{
	pthread_mutex_lock(&outer);
	pthread_mutex_lock(&inner);
	while (!ready)
		pthread_cond_wait(&c, &inner);
	pthread_mutex_unlock(&inner);
	x++;
	pthread_mutex_unlock(&outer);
	return arg;
}

static void *wakes(void *arg)
{
	pthread_mutex_lock(&outer);
	x++;
	pthread_mutex_unlock(&outer);
	sched_yield();
	wake();
	return arg;
}

static void *helps(void *arg)
{
#ifdef FIXED
	sched_yield();
	wake();
	return arg;
#else
	return wakes(arg);
#endif
}

int main(void)
{
	pthread_t t, u, v;

	pthread_create(&t, NULL, waits, NULL);
	pthread_create(&u, NULL, wakes, NULL);
	pthread_create(&v, NULL, helps, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	pthread_join(v, NULL);
	return 0;
}
