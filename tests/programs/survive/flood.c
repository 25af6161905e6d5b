/*
 * Two threads write N million values to memory that both touch: more events than a small disk
 * holds.
 */
#include "survive.h"

static volatile unsigned long cells[1024];
static long millions;

static void *worker(void *arg)
{
	unsigned long x = (unsigned long)arg;

	for (long i = 0; i < millions * 1000000; i++) {
		x = x * 6364136223846793005UL + 1442695040888963407UL;
		cells[x >> 54] = x;
		if (i % 1000 == 0)
			shared_add(1);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t a, b;

	millions = argc > 1 ? atol(argv[1]) : 4;
	a = start(worker, (void *)1);
	b = start(worker, (void *)2);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%ld\n", shared_count);
	return 0;
}
