/*
 * A pool is refilled when it looks empty; two threads may both refill it, and the program prints
 * how often.
 *
 * options: --order creation
 */
#include "truth.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int pool = 2, refills, taken;

static void *work(void *unused)
{
	for (int i = 0; i < 4; i++) {
		int empty;

		pthread_mutex_lock(&lock);
		empty = !pool;
		pthread_mutex_unlock(&lock);
		if (empty) {
			pthread_mutex_lock(&lock);
			pool += 3;
			refills++;
			pthread_mutex_unlock(&lock);
		}
		pthread_mutex_lock(&lock);
		if (pool) {
			pool--;
			taken++;
		}
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	printf("%d refills, %d left\n", refills, pool);
	return 2 + 3 * refills - taken != pool;
}
