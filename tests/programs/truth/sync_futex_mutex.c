/* Drepper's mutex: atomics and the futex system call. */
#include "truth.h"
#include <stdatomic.h>
#include <linux/futex.h>
#include <sys/syscall.h>

static atomic_int state;
static int x;

static int cas(int old, int new)
{
	atomic_compare_exchange_strong(&state, &old, new);
	return old;
}

static void enter(void)
{
	int c = cas(0, 1);

	while (c != 0) {
		if (c == 2 || cas(1, 2) != 0)
			syscall(SYS_futex, &state, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
		c = cas(0, 2);
	}
}

static void leave(void)
{
	if (atomic_fetch_sub(&state, 1) != 1) {
		atomic_store(&state, 0);
		syscall(SYS_futex, &state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	}
}

static void *work(void *unused)
{
	for (int i = 0; i < 20; i++) {
		enter();
		x++;
		leave();
	}
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	return x != 40;
}
