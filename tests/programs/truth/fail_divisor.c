/* A divisor is 0 for a while, but a version number that brackets it makes readers retry. */
#include "truth.h"
#include <stdatomic.h>
static atomic_uint version;
static atomic_int num = 8, den = 2;
static void *writer(void *arg)
{
	for (int i = 1; i < 4; i++) {
		atomic_fetch_add(&version, 1);
		atomic_store(&den, 0);
		atomic_store(&num, 4 * i);
		atomic_store(&den, i);
		atomic_fetch_add(&version, 1);
	}
	return arg;
}
int main(void)
{
	pthread_t t;

	assert(!pthread_create(&t, NULL, writer, NULL));
	for (int i = 0; i < 4; i++) {
		unsigned v;
		int n, d;

		do {
			v = atomic_load(&version);
			n = atomic_load(&num);
			d = atomic_load(&den);
		} while (v & 1 || v != atomic_load(&version));
		assert(n / d == 4);
	}
	pthread_join(t, NULL);
	return 0;
}
