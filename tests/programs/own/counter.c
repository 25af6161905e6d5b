/*
 * No lock: the number of threads inside goes up and down, and in the recorded run there is only one
 * at a time. The accesses to `last` race. FIXED: they are atomic.
 * order: creation
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int inside;
#ifdef FIXED
atomic_long last;
#else
long last;
#endif

static void *work(void *arg)
{
	atomic_fetch_add(&inside, 1);
	last = (long)arg; /* @write */
	atomic_fetch_sub(&inside, 1);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, work, (void *)1);
	pthread_create(&b, NULL, work, (void *)2);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
