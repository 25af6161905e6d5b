/* Threads read their own handle, which pthread_create stores, only after a barrier. */
#include "truth.h"
static pthread_t handle[3];
static pthread_barrier_t b;
static void *run(void *arg)
{
	int me = *(int *)arg;

	pthread_barrier_wait(&b);
	assert(pthread_equal(handle[me], pthread_self()));
	return NULL;
}
int main(void)
{
	int ids[3] = {0, 1, 2};

	pthread_barrier_init(&b, NULL, 4);
	for (int i = 0; i < 3; i++)
		assert(!pthread_create(&handle[i], NULL, run, &ids[i]));
	pthread_barrier_wait(&b);
	for (int i = 0; i < 3; i++)
		pthread_join(handle[i], NULL);
	pthread_barrier_destroy(&b);
	return 0;
}
