/*
 * Detached threads share an object; the last one frees it and then tells main, which did not touch
 * it again.
 */
#include "truth.h"
#include <semaphore.h>
#include <stdatomic.h>
struct job {
	atomic_int left;
	int part[3];
	sem_t *done;
};
static sem_t done;
static int result;
static void *worker(void *arg)
{
	struct job *j = arg;
	static atomic_int next;
	int me = atomic_fetch_add(&next, 1) % 3;

	j->part[me] = me + 1;
	if (atomic_fetch_sub(&j->left, 1) == 1) {
		sem_t *d = j->done;

		result = j->part[0] + j->part[1] + j->part[2];
		free(j);
		sem_post(d);
	}
	return NULL;
}
int main(void)
{
	pthread_attr_t a;

	sem_init(&done, 0, 0);
	pthread_attr_init(&a);
	pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
	for (int round = 0; round < 2; round++) {
		struct job *j = calloc(1, sizeof(*j));

		atomic_init(&j->left, 3);
		j->done = &done;
		for (int i = 0; i < 3; i++) {
			pthread_t t;

			assert(!pthread_create(&t, &a, worker, j));
		}
		while (sem_wait(&done))
			;
		assert(result == 6);
	}
	return 0;
}
