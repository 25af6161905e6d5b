/*
 * A lock that is one bit of a word with a count of users in the other bits. It guards a list;
 * threads use the list under another lock as well.
 */
#include "truth.h"
#include <stdatomic.h>
static atomic_uint word; /* bit 0: locked; the rest: users */
static int list[8], length;
static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;

static void lock(void)
{
	unsigned old = atomic_load_explicit(&word, memory_order_relaxed);

	for (;;) {
		if (old & 1) {
			sched_yield();
			old = atomic_load_explicit(&word, memory_order_relaxed);
		} else if (atomic_compare_exchange_weak_explicit(&word, &old, old | 1, memory_order_acquire,
								 memory_order_relaxed)) {
			return;
		}
	}
}

static void unlock(void)
{
	atomic_fetch_sub_explicit(&word, 1, memory_order_release);
}

static void add(int x)
{
	lock();
	list[length++] = x;
	unlock();
}

static void *one(void *arg)
{
	atomic_fetch_add(&word, 2);
	pthread_mutex_lock(&outer);
	add(1);
	add(2);
	pthread_mutex_unlock(&outer);
	atomic_fetch_sub(&word, 2);
	return arg;
}

static void *two(void *arg)
{
	atomic_fetch_add(&word, 2);
	add(3);
	add(4);
	atomic_fetch_sub(&word, 2);
	return arg;
}

int main(void)
{
	pthread_t t[2];
	int sum = 0;

	pthread_create(&t[0], NULL, one, NULL);
	pthread_create(&t[1], NULL, two, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	for (int i = 0; i < length; i++)
		sum += list[i];
	assert(length == 4 && sum == 10 && word == 0);
}
