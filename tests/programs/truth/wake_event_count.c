/*
 * An event count over a futex: the waiter takes a key, checks, and sleeps only if the key is
 * current.
 */
#include "truth.h"
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
static atomic_uint key;
static atomic_int items;
static void *taker(void *arg)
{
	for (;;) {
		unsigned k = atomic_load(&key);
		int n = atomic_load(&items);

		if (n > 0) {
			if (atomic_compare_exchange_strong(&items, &n, n - 1))
				return arg;
			continue;
		}
		syscall(SYS_futex, &key, FUTEX_WAIT_PRIVATE, k, NULL, NULL, 0);
	}
}
int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		assert(!pthread_create(&t[i], NULL, taker, NULL));
	for (int i = 0; i < 2; i++) {
		atomic_fetch_add(&items, 1);
		atomic_fetch_add(&key, 1);
		syscall(SYS_futex, &key, FUTEX_WAKE_PRIVATE, 2, NULL, NULL, 0);
	}
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
