/*
 * Flat combining: a thread publishes its request, and either becomes the combiner or waits until
 * another one served it.
 */
#include "truth.h"
#include <stdatomic.h>
#define N 3
static atomic_int request[N]; /* 0: none, else the amount */
static int answer[N], total;
static atomic_flag combiner = ATOMIC_FLAG_INIT;
static void combine(void)
{
	for (int i = 0; i < N; i++) {
		int r = atomic_load_explicit(&request[i], memory_order_acquire);

		if (r) {
			total += r;
			answer[i] = total;
			atomic_store_explicit(&request[i], 0, memory_order_release);
		}
	}
}
static void *worker(void *arg)
{
	int me = (int)(intptr_t)arg, last = 0;

	for (int k = 0; k < 2; k++) {
		atomic_store_explicit(&request[me], me + 1, memory_order_release);
		while (atomic_load_explicit(&request[me], memory_order_acquire)) {
			if (!atomic_flag_test_and_set_explicit(&combiner, memory_order_acquire)) {
				combine();
				atomic_flag_clear_explicit(&combiner, memory_order_release);
			} else {
				sched_yield();
			}
		}
		assert(answer[me] > last);
		last = answer[me];
	}
	return NULL;
}
int main(void)
{
	pthread_t t[N];

	for (intptr_t i = 0; i < N; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	assert(total == 12);
	return 0;
}
