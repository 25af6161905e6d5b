/*
 * Spin locks of the library.
 * order: creation
 */
#include <pthread.h>

static pthread_spinlock_t a, b;
static int x;

static void use(pthread_spinlock_t *first, pthread_spinlock_t *second)
{
	pthread_spin_lock(first);
	pthread_spin_lock(second);
	x++;
	pthread_spin_unlock(second);
	pthread_spin_unlock(first);
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

	pthread_spin_init(&a, PTHREAD_PROCESS_PRIVATE);
	pthread_spin_init(&b, PTHREAD_PROCESS_PRIVATE);
	pthread_create(&t, NULL, one, NULL);
	pthread_create(&u, NULL, two, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
