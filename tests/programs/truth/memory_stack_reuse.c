/* Threads that follow one another get the same stack. */
#include "truth.h"

static int *last;

static void *work(void *arg)
{
	int local[32];

	for (int i = 0; i < 32; i++)
		local[i] = i + (int)(long)arg;
	last = local;
	assert(last[31] == 31 + (int)(long)arg);
	return NULL;
}

int main(void)
{
	for (long i = 0; i < 4; i++) {
		pthread_t t;

		pthread_create(&t, NULL, work, (void *)i);
		pthread_join(t, NULL);
	}
	return 0;
}
