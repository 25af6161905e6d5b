/*
 * Locks made of compare-and-swap; each stores its owner.
 * order: creation
 */
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(void *) a, b;
static int x;

static void lock(_Atomic(void *) *l)
{
	void *none = NULL;

	while (!atomic_compare_exchange_weak(l, &none, (void *)pthread_self()))
		none = NULL;
}

static void unlock(_Atomic(void *) *l)
{
	atomic_store_explicit(l, NULL, memory_order_release);
}

static void use(_Atomic(void *) *first, _Atomic(void *) *second)
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
