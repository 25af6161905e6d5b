/* Three threads, four passages of a barrier; then another life of the same barrier. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t b;
static int serial;

static void *pass(void *arg)
{
	for (int i = 0; i < *(int *)arg; i++)
		if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD)
			__atomic_fetch_add(&serial, 1, __ATOMIC_SEQ_CST);
	return NULL;
}

static void life(unsigned threads, int times)
{
	pthread_t t[8];

	pthread_barrier_init(&b, NULL, threads);
	for (unsigned i = 0; i < threads; i++)
		pthread_create(&t[i], NULL, pass, &times);
	for (unsigned i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	pthread_barrier_destroy(&b);
}

int main(void)
{
	life(3, 4);
	life(2, 2);
	printf("serial %d\n", serial);
	return 0;
}
