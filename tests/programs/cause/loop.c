/*
 * Two threads add to a total in a loop, and sleep between the read and the write: the recorded run
 * loses an update in each round. An order that avoids one of the losses ends well only if no thread
 * lets the other one come between again. FIXED: one region. UNRELATED: the assertion fails in every
 * order.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

#define ROUNDS 4

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *add(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		int old;

		pthread_mutex_lock(&m);
		old = total;
#ifndef FIXED
		pthread_mutex_unlock(&m);
		usleep(1000);
		pthread_mutex_lock(&m);
#endif
		total = old + 1;
		pthread_mutex_unlock(&m);
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;
	int expected = 2 * ROUNDS;

	pthread_create(&a, NULL, add, NULL);
	pthread_create(&b, NULL, add, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
#ifdef UNRELATED
	expected++;
#endif
	assert(total == expected);
	return 0;
}
