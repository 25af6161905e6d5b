/* A futex wait with a timeout, in a loop that tests again. */
#include "truth.h"
#include <stdatomic.h>
#include <linux/futex.h>
#include <sys/syscall.h>

static atomic_uint turn;
static int x;

static void *even(void *unused)
{
	struct timespec ms = {0, 2000000};

	for (int i = 0; i < 4; i++) {
		while (atomic_load(&turn) % 2 != 0)
			syscall(SYS_futex, &turn, FUTEX_WAIT, 1, &ms, NULL, 0);
		x++;
		atomic_fetch_add(&turn, 1);
		syscall(SYS_futex, &turn, FUTEX_WAKE, 1, NULL, NULL, 0);
	}
	return unused;
}

static void *odd(void *unused)
{
	struct timespec ms = {0, 2000000};

	for (int i = 0; i < 4; i++) {
		unsigned now;
		while ((now = atomic_load(&turn)) % 2 != 1)
			syscall(SYS_futex, &turn, FUTEX_WAIT, now, &ms, NULL, 0);
		x--;
		atomic_fetch_add(&turn, 1);
		syscall(SYS_futex, &turn, FUTEX_WAKE, 1, NULL, NULL, 0);
	}
	return unused;
}

int main(void)
{
	both(even, odd, NULL);
	return x != 0;
}
