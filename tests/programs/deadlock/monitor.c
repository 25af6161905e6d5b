/*
 * A nested monitor: the wait releases the inner mutex and keeps the outer one.
 * order: 0,2,1
 */
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, x;

static void await(void)
{
	pthread_mutex_lock(&inner);
	while (!ready)
		pthread_cond_wait(&c, &inner);
	pthread_mutex_unlock(&inner);
}

static void *one(void *arg)
{
#ifdef FIXED
	await();
	pthread_mutex_lock(&outer);
#else
	pthread_mutex_lock(&outer);
	await();
#endif
	x++;
	pthread_mutex_unlock(&outer);
	return arg;
}

static void *two(void *arg)
{
	pthread_mutex_lock(&outer);
	x++;
	pthread_mutex_unlock(&outer);
	sched_yield();
	pthread_mutex_lock(&inner);
	ready = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&inner);
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
