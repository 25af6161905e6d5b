/*
 * A gate of a futex that is opened with one wake-up, although two threads may wait. In the recorded
 * run, the second comes late.
 * order: 0,1,2,3
 */
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int gate;

static void *passes(void *arg)
{
	while (!gate)
		syscall(SYS_futex, &gate, FUTEX_WAIT, 0, 0, 0, 0); /* @wait */
	return arg;
}

static void *opens(void *arg)
{
	gate = 1;
#ifdef FIXED
	syscall(SYS_futex, &gate, FUTEX_WAKE, INT_MAX, 0, 0, 0);
#else
	syscall(SYS_futex, &gate, FUTEX_WAKE, 1, 0, 0, 0);
#endif
	return arg;
}

int main(void)
{
	pthread_t a, b, c;

	pthread_create(&a, 0, passes, 0);
	pthread_create(&b, 0, opens, 0);
	pthread_create(&c, 0, passes, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	pthread_join(c, 0);
	return 0;
}
