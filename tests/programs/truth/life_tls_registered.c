/*
 * Threads register the address of a thread-local counter, and take it out before they end; a
 * collector sums them up.
 */
#include "truth.h"
#include <stdatomic.h>
#define N 3
static _Thread_local atomic_int counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int *all[N];
static int gone;
static int sum(void)
{
	int s;

	pthread_mutex_lock(&lock);
	s = gone;
	for (int i = 0; i < N; i++)
		if (all[i])
			s += atomic_load_explicit(all[i], memory_order_relaxed);
	pthread_mutex_unlock(&lock);
	return s;
}
static void *worker(void *arg)
{
	int me = (int)(intptr_t)arg;

	pthread_mutex_lock(&lock);
	all[me] = &counter;
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < 4; i++)
		atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
	pthread_mutex_lock(&lock);
	gone += counter;
	all[me] = NULL;
	pthread_mutex_unlock(&lock);
	return NULL;
}
int main(void)
{
	pthread_t t[N];

	for (intptr_t i = 0; i < N; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < 3; i++) {
		int s = sum();

		assert(s >= 0 && s <= 4 * N);
	}
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	assert(sum() == 4 * N);
	return 0;
}
