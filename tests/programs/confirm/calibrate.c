/*
 * The program measures the processor's clock with a loop of unknown length before its threads
 * begin. Only a run with the recorded answers of rdtsc executes the same hooks.
 *
 * expect: data-race total read@add write@add
 * harm: none seen
 * order: creation
 */
#include <pthread.h>
#include <x86intrin.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int spins, total;

static void *add(void *arg)
{
#ifdef FIXED
	pthread_mutex_lock(&m);
#endif
	total++; /* @add */
#ifdef FIXED
	pthread_mutex_unlock(&m);
#endif
	return arg;
}

int main(void)
{
	unsigned long long from = __rdtsc();
	pthread_t t[2];

	do
		__atomic_fetch_add(&spins, 1, __ATOMIC_SEQ_CST);
	while (__rdtsc() - from < 200000);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, add, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return 0;
}
