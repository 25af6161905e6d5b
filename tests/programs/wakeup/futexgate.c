/*
 * A gate made of a futex, which wakes one thread although two may wait. In the recorded run, the second comes late.
 * order: 0,1,3,2
 */
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int open;

static void *passes(void *arg)
{
	while (!open)
		syscall(SYS_futex, &open, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0); /* @wait */
	return arg;
}

static void *opens(void *arg)
{
	open = 1;
#ifdef FIXED
	syscall(SYS_futex, &open, FUTEX_WAKE_PRIVATE, INT_MAX, 0, 0, 0);
#else
	syscall(SYS_futex, &open, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
#endif
	return arg;
}

int main(void)
{
	pthread_t a, b, o;

	pthread_create(&a, 0, passes, 0);
	pthread_create(&b, 0, passes, 0);
	pthread_create(&o, 0, opens, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	pthread_join(o, 0);
	return 0;
}
