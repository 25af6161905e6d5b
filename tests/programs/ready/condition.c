/*
 * Two threads wait for one condition variable, each with a mutex of its own.
 * order: 0,1,0,2,0
 * spec: condition
 */
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
static bool go_one, go_two;

static void await(pthread_mutex_t *mutex, const bool *go)
{
	pthread_mutex_lock(mutex);
	while (!*go)
		pthread_cond_wait(&ready, mutex);
	pthread_mutex_unlock(mutex);
}

static void set(pthread_mutex_t *mutex, bool *go)
{
	pthread_mutex_lock(mutex);
	*go = true;
	pthread_cond_broadcast(&ready);
	pthread_mutex_unlock(mutex);
}

static void *first(void *arg)
{
	await(&one, &go_one);
	return arg;
}

static void *second(void *arg)
{
#ifdef FIXED
	await(&one, &go_two);
#else
	await(&two, &go_two);
#endif
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	sched_yield();
	set(&one, &go_one);
	sched_yield();
#ifdef FIXED
	set(&one, &go_two);
#else
	set(&two, &go_two);
#endif
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
