/*
 * In each phase one thread replaces the buffer between two barriers; all threads read its address
 * again.
 */
#include "truth.h"
static pthread_barrier_t barrier;
static int *buffer;
static void *worker(void *arg)
{
	int me = (int)(intptr_t)arg;

	for (int phase = 0; phase < 3; phase++) {
		int *b = buffer;

		b[me] = phase + me;
		if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
			assert(b[0] + b[1] == 2 * phase + 1);
			buffer = malloc(2 * sizeof(*buffer));
			free(b);
		}
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}
int main(void)
{
	pthread_t t[2];

	buffer = malloc(2 * sizeof(*buffer));
	pthread_barrier_init(&barrier, NULL, 2);
	for (intptr_t i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	pthread_barrier_destroy(&barrier);
	free(buffer);
	return 0;
}
