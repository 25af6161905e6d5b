/*
 * An arena is reset between rounds, when a barrier has collected all users.
 */
#include "truth.h"
#include <stdatomic.h>
static char arena[1024];
static atomic_size_t used;
static pthread_barrier_t b;
static void *get(size_t n)
{
	return arena + atomic_fetch_add(&used, n);
}
static void *run(void *arg)
{
	int me = *(int *)arg;

	for (int r = 0; r < 3; r++) {
		int *p = get(16);

		p[0] = me;
		p[1] = r;
		assert(p[0] == me && p[1] == r);
		if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD)
			atomic_store(&used, 0);
		pthread_barrier_wait(&b);
	}
	return NULL;
}
int main(void)
{
	int ids[3] = {1, 2, 3};
	pthread_t t[3];

	pthread_barrier_init(&b, NULL, 3);
	for (int i = 0; i < 3; i++)
		assert(!pthread_create(&t[i], NULL, run, &ids[i]));
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
