/*
 * Locks made of atomic_flag.
 * order: creation
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag a = ATOMIC_FLAG_INIT, b = ATOMIC_FLAG_INIT;
static int x;

static void lock(atomic_flag *l)
{
	while (atomic_flag_test_and_set(l))
		;
}

static void unlock(atomic_flag *l)
{
	atomic_flag_clear(l);
}

static void use(atomic_flag *first, atomic_flag *second)
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
