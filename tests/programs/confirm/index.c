/*
 * A store and its index, under a rwlock and a mutex that are taken in two orders. Before that:
 * atomics; a compare-and-swap loop, a flag released and acquired, a loop that spins on it.
 *
 * expect: deadlock store,index_lock acquire@query acquire@update
 * harm: hang
 * order: creation
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_rwlock_t store = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t index_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int loaded, highest;
static int rows, seen;

static void raise_to(int n)
{
	int old = atomic_load_explicit(&highest, memory_order_relaxed);

	while (old < n && !atomic_compare_exchange_weak(&highest, &old, n))
		;
}

static void *query(void *arg)
{
	while (!atomic_load_explicit(&loaded, memory_order_acquire))
		sched_yield();
	raise_to(rows);
	pthread_rwlock_rdlock(&store);
	pthread_mutex_lock(&index_lock); /* @query */
	seen++;
	pthread_mutex_unlock(&index_lock);
	pthread_rwlock_unlock(&store);
	return arg;
}

static void *update(void *arg)
{
	rows = 12;
	atomic_store_explicit(&loaded, 1, memory_order_release);
	raise_to(11);
#ifdef FIXED
	pthread_rwlock_wrlock(&store);
	pthread_mutex_lock(&index_lock);
#else
	pthread_mutex_lock(&index_lock);
	pthread_rwlock_wrlock(&store); /* @update */
#endif
	seen++;
	pthread_rwlock_unlock(&store);
	pthread_mutex_unlock(&index_lock);
	return arg;
}

int main(void)
{
	pthread_t t1, t2;

	pthread_create(&t1, NULL, query, NULL);
	pthread_create(&t2, NULL, update, NULL);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	printf("%d %d\n", seen, atomic_load(&highest));
	return 0;
}
