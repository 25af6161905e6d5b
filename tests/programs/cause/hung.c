/*
 * The recorded run hangs, and another order ends well (BARRIER, MISSING: no order does). ABBA,
 * SEMS, RWLOCK: two threads take two things in opposite orders; RING: three threads. JOIN: main
 * joins a thread that needs its lock. NESTED: a thread waits for a condition with a lock that the
 * signaller needs. BARRIER: the same at a barrier. EARLY: the signal comes before the wait;
 * BETWEEN: between the test and the wait; OTHER: it wakes another waiter. MISSING: it waits once
 * more than there are signals. FIXED: the repair.
 * order: creation
 */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, outer = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static atomic_int ready;
int work;

#if defined ABBA || defined SEMS || defined RWLOCK || defined RING
#ifdef SEMS
static sem_t thing[3];
#define TAKE(i) sem_wait(&thing[i])
#define GIVE(i) sem_post(&thing[i])
#elif defined RWLOCK
static pthread_rwlock_t thing[3] = {PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER};
#define TAKE(i) pthread_rwlock_wrlock(&thing[i])
#define GIVE(i) pthread_rwlock_unlock(&thing[i])
#else
static pthread_mutex_t thing[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
#define TAKE(i) pthread_mutex_lock(&thing[i])
#define GIVE(i) pthread_mutex_unlock(&thing[i])
#endif
#ifdef RING
#define THREADS 3
#else
#define THREADS 2
#endif

static void *worker(void *arg)
{
	int first = (int)(long)arg, second = (first + 1) % THREADS;

#ifdef FIXED
	if (first > second) {
		first = second;
		second = (int)(long)arg;
	}
#endif
	TAKE(first);
	sched_yield();
	TAKE(second);
	work++;
	GIVE(second);
	GIVE(first);
	return NULL;
}

int main(void)
{
	pthread_t t[THREADS];

#ifdef SEMS
	for (int i = 0; i < THREADS; i++)
		sem_init(&thing[i], 0, 1);
#endif
	for (long i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	return 0;
}
#else
#define THREADS 2
static pthread_barrier_t barrier;

static void *first(void *arg)
{
#if defined NESTED && !defined FIXED
	pthread_mutex_lock(&outer);
#endif
	pthread_mutex_lock(&lock);
#if defined JOIN
	work++;
#elif defined BARRIER && defined FIXED
	pthread_mutex_unlock(&lock);
	pthread_barrier_wait(&barrier);
	pthread_mutex_lock(&lock);
#elif defined BARRIER
	pthread_barrier_wait(&barrier);
#elif defined MISSING && !defined FIXED
	for (int i = 0; i < 2; i++)
		pthread_cond_wait(&cond, &lock);
#elif defined BETWEEN && !defined FIXED
	while (!ready) {
		sched_yield();
		pthread_cond_wait(&cond, &lock);
	}
#elif defined EARLY && !defined FIXED
	pthread_mutex_unlock(&lock);
	sched_yield();
	pthread_mutex_lock(&lock);
	pthread_cond_wait(&cond, &lock);
#else
	while (!ready)
		pthread_cond_wait(&cond, &lock);
#endif
	pthread_mutex_unlock(&lock);
#if defined NESTED && !defined FIXED
	pthread_mutex_unlock(&outer);
#endif
	return arg;
}

static void *second(void *arg)
{
#ifdef BARRIER
	return first(arg);
#endif
#ifdef OTHER
	sched_yield(); /* both wait */
#endif
#ifdef NESTED
	pthread_mutex_lock(&outer);
#endif
#if !defined BETWEEN || defined FIXED
	pthread_mutex_lock(&lock);
#endif
	ready = 1;
#if defined OTHER && defined FIXED
	pthread_cond_broadcast(&cond);
#else
	pthread_cond_signal(&cond);
#endif
#if !defined BETWEEN || defined FIXED
	pthread_mutex_unlock(&lock);
#endif
#ifdef NESTED
	pthread_mutex_unlock(&outer);
#endif
	return arg;
}

int main(void)
{
	pthread_t a, b, c;

	pthread_barrier_init(&barrier, NULL, THREADS);
	pthread_create(&a, NULL, first, NULL);
#ifdef OTHER
	pthread_create(&c, NULL, first, NULL);
#endif
#ifdef JOIN
	pthread_mutex_lock(&lock);
#ifdef FIXED
	pthread_mutex_unlock(&lock);
	pthread_join(a, NULL);
#else
	pthread_join(a, NULL);
	pthread_mutex_unlock(&lock);
#endif
	return 0;
#endif
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
#ifdef OTHER
	pthread_join(c, NULL);
#endif
	return 0;
}
#endif
