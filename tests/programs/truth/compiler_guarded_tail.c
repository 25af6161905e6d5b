/*
 * A flag decides whether the rest of a buffer belongs to the reader; the loop reads no more than
 * that.
 */
#include "truth.h"
#include <stdatomic.h>
static int buffer[32];
static atomic_int filled;
static void *writer(void *arg)
{
	for (int i = 0; i < 32; i++) {
		buffer[i] = i;
		if (i % 8 == 7)
			atomic_store_explicit(&filled, i + 1, memory_order_release);
	}
	return arg;
}
__attribute__((noinline)) static int sum(int n)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		s += i & 1 ? buffer[i] : 1;
	return s;
}
int main(void)
{
	pthread_t t;

	assert(!pthread_create(&t, NULL, writer, NULL));
	for (int i = 0; i < 4; i++) {
		int n = atomic_load_explicit(&filled, memory_order_acquire);

		assert(sum(n) == n / 2 + n * n / 4);
	}
	pthread_join(t, NULL);
	return 0;
}
