/*
 * A thread uses a block after the main thread has freed it, already in the recorded run, and nobody
 * notices.
 * order: creation
 * expect: use-after-free
 */
#include <pthread.h>
#include <stdlib.h>

static int sum;

static void *add(void *arg)
{
	int *numbers = arg;

	for (int i = 0; i < 4; i++)
		sum += numbers[i];
	return NULL;
}

int main(void)
{
	int *numbers = calloc(4, sizeof(*numbers));
	pthread_t t;

	numbers[3] = 1;
	pthread_create(&t, NULL, add, numbers);
#ifdef FIXED
	pthread_join(t, NULL);
	free(numbers);
#else
	free(numbers);
	pthread_join(t, NULL);
#endif
	return 0;
}
