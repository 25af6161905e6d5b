/* A pointer is taken out by an atomic exchange: only the thread that gets it dereferences it. */
#include "truth.h"
#include <stdatomic.h>
struct job {
	int n;
};
static _Atomic(struct job *) slot;
static atomic_int got;
static void *worker(void *arg)
{
	for (int i = 0; i < 4; i++) {
		struct job *j = atomic_exchange(&slot, NULL);

		if (j) {
			atomic_fetch_add(&got, j->n);
			free(j);
		}
	}
	return arg;
}
int main(void)
{
	pthread_t t[2];
	struct job *left;

	for (int i = 0; i < 2; i++)
		assert(!pthread_create(&t[i], NULL, worker, NULL));
	for (int i = 0; i < 3; i++) {
		struct job *j = malloc(sizeof(*j)), *old;

		j->n = 1;
		old = atomic_exchange(&slot, j);
		free(old);
	}
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	left = atomic_exchange(&slot, NULL);
	free(left);
	assert(atomic_load(&got) <= 3);
	return 0;
}
