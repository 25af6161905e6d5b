/*
 * Calls with a limit in time close a cycle of waits: it opens again when the limit has passed, so
 * none of these is a deadlock. The case `deadlock` has the same cycle without a limit, and is one.
 */
#include "frame.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static mtx_t m11;
static sem_t sem;
static int n;

/* Takes b, then a. */
static void *other(void *arg)
{
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a);
	n++;
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return arg;
}

static pthread_t start(void *(*fn)(void *))
{
	pthread_t t;

	pthread_create(&t, NULL, fn, NULL);
	return t;
}

/* Takes a, then b by a call that may give up. */
#define THEN_B(name, lock, unlock)          \
	static void name(void)              \
	{                                   \
		pthread_t t = start(other); \
                                            \
		pthread_mutex_lock(&a);     \
		if ((lock) == 0) {          \
			n++;                \
			unlock;             \
		}                           \
		pthread_mutex_unlock(&a);   \
		pthread_join(t, NULL);      \
		assert(n >= 1);             \
	}

static int timed(void)
{
	struct timespec ts = in_ms(CLOCK_REALTIME, 30);

	return pthread_mutex_timedlock(&b, &ts);
}

static int clocked(void)
{
	struct timespec ts = in_ms(CLOCK_MONOTONIC, 30);

	return pthread_mutex_clocklock(&b, CLOCK_MONOTONIC, &ts);
}

THEN_B(timedlock, timed(), pthread_mutex_unlock(&b))
THEN_B(clocklock, clocked(), pthread_mutex_unlock(&b))
THEN_B(trylock, pthread_mutex_trylock(&b), pthread_mutex_unlock(&b))
THEN_B(deadlock, pthread_mutex_lock(&b), pthread_mutex_unlock(&b))

/* The same with another sort of second lock. */
static void *other_rw(void *arg)
{
	pthread_rwlock_wrlock(&rw);
	pthread_mutex_lock(&a);
	n++;
	pthread_mutex_unlock(&a);
	pthread_rwlock_unlock(&rw);
	return arg;
}

static void rwlock(void)
{
	pthread_t t = start(other_rw);
	struct timespec ts;

	pthread_mutex_lock(&a);
	ts = in_ms(CLOCK_REALTIME, 30);
	if (pthread_rwlock_timedrdlock(&rw, &ts) == 0)
		pthread_rwlock_unlock(&rw);
	ts = in_ms(CLOCK_MONOTONIC, 30);
	if (pthread_rwlock_clockwrlock(&rw, CLOCK_MONOTONIC, &ts) == 0)
		pthread_rwlock_unlock(&rw);
	pthread_mutex_unlock(&a);
	pthread_join(t, NULL);
}

static void *other_c11(void *arg)
{
	mtx_lock(&m11);
	pthread_mutex_lock(&a);
	n++;
	pthread_mutex_unlock(&a);
	mtx_unlock(&m11);
	return arg;
}

static void c11(void)
{
	pthread_t t;
	struct timespec ts;

	mtx_init(&m11, mtx_timed);
	t = start(other_c11);
	pthread_mutex_lock(&a);
	ts = in_ms(CLOCK_REALTIME, 30);
	if (mtx_timedlock(&m11, &ts) == thrd_success)
		mtx_unlock(&m11);
	pthread_mutex_unlock(&a);
	pthread_join(t, NULL);
}

/* Waits for a thread that needs the lock it holds, and gives up. */
static void *needs_a(void *arg)
{
	pthread_mutex_lock(&a);
	n++;
	pthread_mutex_unlock(&a);
	return arg;
}

static void timedjoin(void)
{
	pthread_t t = start(needs_a);
	struct timespec ts;
	int r;

	pthread_mutex_lock(&a);
	ts = in_ms(CLOCK_REALTIME, 5);
	r = pthread_timedjoin_np(t, NULL, &ts);
	pthread_mutex_unlock(&a);
	if (r)
		pthread_join(t, NULL);
	assert(n == 1);
}

static void clockjoin(void)
{
	pthread_t t = start(needs_a);
	struct timespec ts;
	int r;

	pthread_mutex_lock(&a);
	ts = in_ms(CLOCK_MONOTONIC, 5);
	r = pthread_clockjoin_np(t, NULL, CLOCK_MONOTONIC, &ts);
	pthread_mutex_unlock(&a);
	if (r)
		pthread_join(t, NULL);
	assert(n == 1);
}

static void tryjoin(void)
{
	pthread_t t = start(needs_a);
	int r;

	pthread_mutex_lock(&a);
	r = pthread_tryjoin_np(t, NULL);
	pthread_mutex_unlock(&a);
	if (r)
		pthread_join(t, NULL);
	assert(n == 1);
}

static void *posts(void *arg)
{
	pthread_mutex_lock(&a);
	sem_post(&sem);
	pthread_mutex_unlock(&a);
	return arg;
}

static void semaphore(void)
{
	struct timespec ts;
	pthread_t t;

	sem_init(&sem, 0, 0);
	t = start(posts);
	pthread_mutex_lock(&a);
	ts = in_ms(CLOCK_REALTIME, 5);
	if (sem_timedwait(&sem, &ts)) {
		assert(errno == ETIMEDOUT);
		ts = in_ms(CLOCK_MONOTONIC, 5);
		if (sem_clockwait(&sem, CLOCK_MONOTONIC, &ts))
			assert(errno == ETIMEDOUT);
	}
	pthread_mutex_unlock(&a);
	pthread_join(t, NULL);
}

int main(int argc, char **argv)
{
	static const struct frame_case cases[] = {{"timedlock", timedlock},
						  {"clocklock", clocklock},
						  {"trylock", trylock},
						  {"rwlock", rwlock},
						  {"c11", c11},
						  {"timedjoin", timedjoin},
						  {"clockjoin", clockjoin},
						  {"tryjoin", tryjoin},
						  {"semaphore", semaphore},
						  {"deadlock", deadlock},
						  {0}};

	return frame_main(cases, argc, argv, NULL);
}
