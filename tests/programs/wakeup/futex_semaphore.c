/*
 * A semaphore of a futex that wakes a thread only if the count was zero: of two posts in a row, one
 * wakes nobody.
 * order: 0,1,3,2,4
 */
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int count;

static void *waits(void *arg)
{
	for (;;) {
		int v = count;

		if (v && atomic_compare_exchange_strong(&count, &v, v - 1))
			return arg;
		if (!v)
			syscall(SYS_futex, &count, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0); /* @wait */
	}
}

static void *posts(void *arg)
{
#ifdef FIXED
	atomic_fetch_add(&count, 1);
#else
	if (atomic_fetch_add(&count, 1) == 0)
#endif
		syscall(SYS_futex, &count, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
	return arg;
}

int main(void)
{
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], 0, i < 2 ? waits : posts, 0);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], 0);
	return 0;
}
