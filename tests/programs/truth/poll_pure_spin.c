/* Threads wait for atomics in loops that neither yield nor sleep. */
#include "truth.h"
#include <stdatomic.h>
static atomic_int turn;
static int value;
static void *ping(void *unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++) {
		while (atomic_load_explicit(&turn, memory_order_acquire) != 2 * i)
			;
		value++;
		atomic_store_explicit(&turn, 2 * i + 1, memory_order_release);
	}
	return NULL;
}
static void *pong(void *unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++) {
		while (atomic_load_explicit(&turn, memory_order_acquire) != 2 * i + 1)
			__builtin_ia32_pause();
		value *= 2;
		atomic_store_explicit(&turn, 2 * i + 2, memory_order_release);
	}
	return NULL;
}
int main(void)
{
	both(ping, pong, NULL);
	assert(value == 14);
	return 0;
}
