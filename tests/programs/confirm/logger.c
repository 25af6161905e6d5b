/*
 * A log and its index: one writes through, the other rotates, and they take the two locks in two
 * orders. Before that: a trylock that fails, a timed lock and a timed wait that run out.
 *
 * expect: deadlock log_lock,index_lock acquire@write acquire@rotate
 * harm: hang
 * order: creation
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER, index_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t full = PTHREAD_COND_INITIALIZER;
static int lines, skipped;

static struct timespec soon(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	ts.tv_nsec += 5000000;
	ts.tv_sec += ts.tv_nsec / 1000000000;
	ts.tv_nsec %= 1000000000;
	return ts;
}

static void *impatient(void *arg)
{
	struct timespec ts = soon();

	skipped += pthread_mutex_trylock(&log_lock) == EBUSY;
	skipped += pthread_mutex_timedlock(&log_lock, &ts) == ETIMEDOUT;
	return arg;
}

static void *writer(void *arg)
{
	pthread_mutex_lock(&log_lock);
	pthread_mutex_lock(&index_lock); /* @write */
	lines++;
	pthread_mutex_unlock(&index_lock);
	pthread_mutex_unlock(&log_lock);
	return arg;
}

static void *rotator(void *arg)
{
	struct timespec ts = soon();

	pthread_mutex_lock(&index_lock);
	skipped += pthread_cond_timedwait(&full, &index_lock, &ts) == ETIMEDOUT;
	pthread_mutex_unlock(&index_lock);
#ifdef FIXED
	pthread_mutex_lock(&log_lock);
	pthread_mutex_lock(&index_lock);
#else
	pthread_mutex_lock(&index_lock);
	pthread_mutex_lock(&log_lock); /* @rotate */
#endif
	lines = 0;
	pthread_mutex_unlock(&log_lock);
	pthread_mutex_unlock(&index_lock);
	return arg;
}

int main(void)
{
	pthread_t t1, t2;

	pthread_mutex_lock(&log_lock);
	pthread_create(&t1, NULL, impatient, NULL);
	pthread_join(t1, NULL);
	pthread_mutex_unlock(&log_lock);
	pthread_create(&t1, NULL, writer, NULL);
	pthread_create(&t2, NULL, rotator, NULL);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	printf("%d skipped\n", skipped);
	return 0;
}
