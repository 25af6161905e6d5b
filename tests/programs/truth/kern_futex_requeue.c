/*
 * Two threads wait for a futex; the waker wakes one of them and requeues the other one to a second
 * futex.
 */
#include "truth.h"
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
static atomic_int gate, passed;
static int value;
static long futex(atomic_int *a, int op, int v, long v2, atomic_int *b)
{
	return syscall(SYS_futex, a, op, v, v2, b, 0);
}
static atomic_int second;
static void *waiter(void *unused)
{
	(void)unused;
	while (!atomic_load(&gate))
		futex(&gate, FUTEX_WAIT_PRIVATE, 0, 0, NULL);
	assert(value == 12);
	if (atomic_fetch_add(&passed, 1) == 0) {
		atomic_store(&second, 1);
		futex(&second, FUTEX_WAKE_PRIVATE, 4, 0, NULL);
	}
	return NULL;
}
int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, waiter, NULL);
	value = 12;
	atomic_store(&gate, 1);
	futex(&gate, FUTEX_REQUEUE_PRIVATE, 1, 4, &second);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(passed == 2);
	return 0;
}
