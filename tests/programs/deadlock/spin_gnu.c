/*
 * Locks made of the __sync builtins of gcc.
 * order: creation
 */
#include <pthread.h>
#include <stdatomic.h>

static volatile int a, b;
static int x;

static void lock(volatile int *l)
{
	while (__sync_lock_test_and_set(l, 1))
		while (*l)
			;
}

static void unlock(volatile int *l)
{
	__sync_lock_release(l);
}

static void use(volatile int *first, volatile int *second)
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
