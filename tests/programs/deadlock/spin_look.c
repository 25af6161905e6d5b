/*
 * Locks that look before they exchange, and yield in between.
 * order: creation
 */
#include <pthread.h>
#include <stdatomic.h>
#include <sched.h>

static atomic_int a, b;
static int x;

static void lock(atomic_int *l)
{
	do {
		while (atomic_load_explicit(l, memory_order_relaxed))
			sched_yield();
	} while (atomic_exchange(l, 1));
}

static void unlock(atomic_int *l)
{
	atomic_store(l, 0);
}

static void use(atomic_int *first, atomic_int *second)
{
	lock(first);
	lock(second);
	x++;
	unlock(second);
	unlock(first);
}

static void *one(void *arg)
{
	use(&a, &b);
	return arg;
}

static void *two(void *arg)
{
#ifdef FIXED
	use(&a, &b);
#else
	use(&b, &a);
#endif
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
