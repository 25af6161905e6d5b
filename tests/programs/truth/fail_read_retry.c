/*
 * A check that looks fatal reads a counter that is only taken back under the lock; a torn view is
 * impossible.
 */
#include "truth.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int balance = 10, pending;
static void *mover(void *arg)
{
	for (int i = 0; i < 4; i++) {
		pthread_mutex_lock(&m);
		balance -= 5;
		pending += 5;
		pthread_mutex_unlock(&m);
		pthread_mutex_lock(&m);
		balance += 5;
		pending -= 5;
		pthread_mutex_unlock(&m);
	}
	return arg;
}
int main(void)
{
	pthread_t t;

	assert(!pthread_create(&t, NULL, mover, NULL));
	for (int i = 0; i < 5; i++) {
		int b, p;

		pthread_mutex_lock(&m);
		b = balance;
		p = pending;
		pthread_mutex_unlock(&m);
		if (b + p != 10)
			abort();
	}
	pthread_join(t, NULL);
	return 0;
}
