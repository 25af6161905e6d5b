/*
 * On the way to the race: a lock that is tried in vain, one that is waited for in vain, a condition
 * that nobody signals in time.
 *
 * expect: data-race result write@write read@read
 * harm: output
 * order: creation
 */
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t start;
static int result, refused, late, missed;

static struct timespec soon(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += 5000000;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

static void *owner(void *arg)
{
	pthread_mutex_lock(&m);
	pthread_barrier_wait(&start);
	usleep(50000);
	pthread_mutex_unlock(&m);
	return arg;
}

static void *other(void *arg)
{
	struct timespec t;

	pthread_barrier_wait(&start);
	refused = pthread_mutex_trylock(&m) != 0;
	t = soon();
	late = pthread_mutex_timedlock(&m, &t) != 0;
	pthread_mutex_lock(&n);
	t = soon();
	missed = pthread_cond_timedwait(&c, &n, &t) != 0;
	pthread_mutex_unlock(&n);
	result = refused + late + missed; /* @write */
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_barrier_init(&start, NULL, 2);
	pthread_create(&t[0], NULL, owner, NULL);
	pthread_create(&t[1], NULL, other, NULL);
#ifdef FIXED
	pthread_join(t[1], NULL);
	printf("%d\n", result);
#else
	usleep(200000);
	printf("%d\n", result); /* @read */
	pthread_join(t[1], NULL);
#endif
	pthread_join(t[0], NULL);
	return 0;
}
