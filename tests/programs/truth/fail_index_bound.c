/* An index is read first and the bound after it: the bound only grows. */
#include "truth.h"
#include <stdatomic.h>
static int slots[16];
static atomic_int last = 0, limit = 1;
static void *grower(void *arg)
{
	for (int i = 1; i < 10; i++) {
		slots[i] = i;
		atomic_store(&limit, i + 1);
		atomic_store(&last, i);
	}
	return arg;
}
int main(void)
{
	pthread_t t;

	assert(!pthread_create(&t, NULL, grower, NULL));
	for (int i = 0; i < 5; i++) {
		int k = atomic_load(&last), n = atomic_load(&limit);

		if (k >= n)
			abort();
		assert(slots[k] == k);
	}
	pthread_join(t, NULL);
	return 0;
}
