/*
 * A lock that spins a few times and then parks in the kernel; the program prints how often it spun
 * and parked.
 *
 * options: --order creation
 */
#include "truth.h"
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>

static atomic_int word, spins, parks; /* word: 0 free, 1 taken, 2 taken and somebody waits */
static int n;

static void enter(void)
{
	for (int i = 0; i < 3; i++) {
		int was = 0;

		if (atomic_compare_exchange_strong(&word, &was, 1))
			return;
		atomic_fetch_add(&spins, 1);
	}
	while (atomic_exchange(&word, 2)) {
		atomic_fetch_add(&parks, 1);
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
	}
}

static void leave(void)
{
	if (atomic_exchange(&word, 0) == 2)
		syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *work(void *unused)
{
	for (int i = 0; i < 3; i++) {
		enter();
		n++;
		leave();
	}
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	printf("%d in all, %d spins, %d parked\n", n, atomic_load(&spins), atomic_load(&parks));
	return n != 6;
}
