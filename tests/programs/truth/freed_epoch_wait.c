/*
 * A writer replaces an object and frees the old one when both readers have passed a quiet point
 * after that.
 */
#include "truth.h"
#include <stdatomic.h>
struct config {
	int a, b;
};
static _Atomic(struct config *) config;
static atomic_uint quiet[2];
static atomic_int done[2];
static void *reader(void *arg)
{
	int me = *(int *)arg;

	for (int i = 0; i < 4; i++) {
		struct config *c = atomic_load(&config);

		assert(c->a + c->b == 10);
		atomic_fetch_add(&quiet[me], 1);
	}
	atomic_store(&done[me], 1);
	return NULL;
}
int main(void)
{
	int ids[2] = {0, 1};
	pthread_t t[2];
	struct config *c = malloc(sizeof(*c));

	c->a = 4;
	c->b = 6;
	atomic_store(&config, c);
	for (int i = 0; i < 2; i++)
		assert(!pthread_create(&t[i], NULL, reader, &ids[i]));
	for (int k = 0; k < 2; k++) {
		struct config *n = malloc(sizeof(*n)), *old;

		n->a = k;
		n->b = 10 - k;
		old = atomic_exchange(&config, n);
		for (int i = 0; i < 2; i++) {
			unsigned was = atomic_load(&quiet[i]);

			while (atomic_load(&quiet[i]) == was && !atomic_load(&done[i]))
				sched_yield();
		}
		free(old);
	}
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	free(atomic_load(&config));
	return 0;
}
