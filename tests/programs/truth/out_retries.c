/*
 * Optimistic updates with compare-exchange and with versions under a lock; the number of retries is
 * printed.
 */
#include "truth.h"
#include <stdatomic.h>
static atomic_int cell;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int version, value;
static void *worker(void *arg)
{
	int retries = 0;

	for (int i = 0; i < 2; i++) {
		int v = atomic_load(&cell), saw, at;

		while (!atomic_compare_exchange_strong(&cell, &v, v + 3))
			retries++;
		for (;;) {
			pthread_mutex_lock(&m);
			saw = value;
			at = version;
			pthread_mutex_unlock(&m);
			saw += 2;
			pthread_mutex_lock(&m);
			if (version == at) {
				value = saw;
				version++;
				pthread_mutex_unlock(&m);
				break;
			}
			pthread_mutex_unlock(&m);
			retries++;
		}
	}
	printf("%s: %d retries\n", (char *)arg, retries);
	return NULL;
}
int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, worker, "a");
	pthread_create(&t[1], NULL, worker, "b");
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(cell == 12 && value == 8);
	return 0;
}
