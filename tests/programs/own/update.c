/*
 * A lost update under a lock that the program makes of atomic accesses: the balance is read in one
 * region and written in another. LOCK_...: which sort of lock. FIXED: one region.
 * order: creation
 * variants: -DLOCK_CAS -DLOCK_EXCHANGE -DLOCK_FLAG -DLOCK_LOOK -DLOCK_TICKET
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static int balance = 100;

#if defined(LOCK_CAS)
static atomic_int word;

static void lock(void)
{
	int none = 0;

	while (!atomic_compare_exchange_weak(&word, &none, 1))
		none = 0;
}

static void unlock(void)
{
	atomic_store(&word, 0);
}
#elif defined(LOCK_EXCHANGE)
static atomic_int word;

static void lock(void)
{
	while (atomic_exchange(&word, 1))
		sched_yield();
}

static void unlock(void)
{
	atomic_store_explicit(&word, 0, memory_order_release);
}
#elif defined(LOCK_LOOK)
static atomic_int word;

static void lock(void)
{
	do {
		while (atomic_load_explicit(&word, memory_order_relaxed))
			sched_yield();
	} while (atomic_exchange_explicit(&word, 1, memory_order_acquire));
}

static void unlock(void)
{
	atomic_store_explicit(&word, 0, memory_order_release);
}
#elif defined(LOCK_FLAG)
static atomic_flag word = ATOMIC_FLAG_INIT;

static void lock(void)
{
	while (atomic_flag_test_and_set(&word))
		;
}

static void unlock(void)
{
	atomic_flag_clear(&word);
}
#elif defined(LOCK_TICKET)
static struct {
	atomic_uint next, word;
} queue;

static void lock(void)
{
	unsigned mine = atomic_fetch_add(&queue.next, 1);

	while (atomic_load(&queue.word) != mine)
		sched_yield();
}

static void unlock(void)
{
	atomic_store(&queue.word, atomic_load(&queue.word) + 1);
}
#endif

static void *withdraw(void *arg)
{
	int b;

	lock();
	b = balance; /* @read */
#ifndef FIXED
	unlock();
	lock();
#endif
	balance = b - *(int *)arg; /* @write */
	unlock();
	return NULL;
}

int main(void)
{
	int one = 11, two = 22;
	pthread_t a, b;

	pthread_create(&a, NULL, withdraw, &one);
	pthread_create(&b, NULL, withdraw, &two);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(balance == 67);
	return 0;
}
