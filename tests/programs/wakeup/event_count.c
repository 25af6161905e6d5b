/*
 * An event count of a futex: the waiter reads the count after it has looked for work, so it may
 * sleep on the new count.
 * order: creation
 */
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int count, items;

static void *takes(void *arg)
{
	for (;;) {
#ifdef FIXED
		int seen = count;

		if (items)
			return arg;
#else
		if (items)
			return arg;
		int seen = count;
#endif
		syscall(SYS_futex, &count, FUTEX_WAIT_PRIVATE, seen, 0, 0, 0); /* @wait */
	}
}

static void *gives(void *arg)
{
	items++;
	count++;
	syscall(SYS_futex, &count, FUTEX_WAKE_PRIVATE, INT_MAX, 0, 0, 0);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, 0, takes, 0);
	pthread_create(&b, 0, gives, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
