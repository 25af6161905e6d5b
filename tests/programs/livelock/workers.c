/*
 * Workers count themselves out, and main yields until all are out. A worker that is counted out
 * twice leaves main waiting for ever. FIXED: the counter is atomic. The workers sleep, because the
 * test is about time that passes while main yields.
 *
 * order: creation
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int left = 3;

static void *work(void *arg)
{
	usleep((useconds_t)(long)arg * 10000 + 1000);
#ifdef FIXED
	atomic_fetch_sub(&left, 1);
#else
	int l = atomic_load(&left);

	atomic_store(&left, l - 1);
#endif
	return NULL;
}

int main(void)
{
	pthread_t t[3];

	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	while (atomic_load(&left) > 0)
		sched_yield();
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
