/*
 * Threads in a section are counted with atomics; the program prints the largest number.
 *
 * options: --order creation
 */
#include "truth.h"
#include <stdatomic.h>

static atomic_int in, most;

static void *work(void *unused)
{
	for (int i = 0; i < 3; i++) {
		int now = atomic_fetch_add(&in, 1) + 1, m = atomic_load(&most);

		while (now > m && !atomic_compare_exchange_weak(&most, &m, now))
			;
		atomic_fetch_sub(&in, 1);
	}
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	printf("at most %d at once\n", atomic_load(&most));
	return in != 0;
}
