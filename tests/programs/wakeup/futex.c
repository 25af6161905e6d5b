/*
 * A futex whose value the waker changes only after the wake-up.
 * order: creation
 */
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;

static void *waits(void *arg)
{
	if (word == 0)
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0); /* @wait */
	return arg;
}

static void *wakes(void *arg)
{
#ifdef FIXED
	word = 1;
	syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
#else
	syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0); /* @signal */
	word = 1;
#endif
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, 0, waits, 0);
	pthread_create(&b, 0, wakes, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
