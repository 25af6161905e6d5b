/*
 * Several threads, all alive at once, allocate and free memory; the program prints all addresses.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 64
static pthread_barrier_t all;
static void *at[MOST][16];
static void *stack[MOST];

static void *work(void *arg)
{
	long me = (long)arg;
	unsigned seed = (unsigned)me;
	int local;

	stack[me] = &local;
	pthread_barrier_wait(&all);
	for (int i = 0; i < 200; i++) {
		int k = rand_r(&seed) % 16;

		free(at[me][k]);
		at[me][k] = malloc(16 + (size_t)rand_r(&seed) % 2000);
	}
	pthread_barrier_wait(&all);
	return NULL;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 2;
	pthread_t th[MOST];

	pthread_barrier_init(&all, NULL, (unsigned)n);
	for (long i = 0; i < n; i++)
		pthread_create(&th[i], NULL, work, (void *)i);
	for (long i = 0; i < n; i++)
		pthread_join(th[i], NULL);
	for (long i = 0; i < n; i++) {
		printf("%ld %p", i, stack[i]);
		for (int k = 0; k < 16; k++)
			printf(" %p", at[i][k]);
		printf("\n");
	}
	return 0;
}
