/*
 * The signal comes after the unlock, and the predicate decides: a signal before the wait is not
 * lost.
 */
#include "truth.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
static void *waiter(void *arg)
{
	pthread_mutex_lock(&m);
	while (!ready)
		pthread_cond_wait(&c, &m);
	ready--;
	pthread_mutex_unlock(&m);
	return arg;
}
int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		assert(!pthread_create(&t[i], NULL, waiter, NULL));
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&m);
		ready++;
		pthread_mutex_unlock(&m);
		pthread_cond_signal(&c);
	}
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
