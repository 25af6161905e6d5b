/*
 * The routine of a once takes a lock that other threads hold, but never while they wait for the
 * once.
 */
#include "truth.h"
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int value, made;
static void make(void)
{
	pthread_mutex_lock(&m);
	made++;
	value = 11;
	pthread_mutex_unlock(&m);
}
static void *worker(void *arg)
{
	for (int i = 0; i < 3; i++) {
		pthread_once(&once, make);
		pthread_mutex_lock(&m);
		assert(value == 11 && made == 1);
		pthread_mutex_unlock(&m);
	}
	return arg;
}
int main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		assert(!pthread_create(&t[i], NULL, worker, NULL));
	pthread_mutex_lock(&m);
	value++;
	value--;
	pthread_mutex_unlock(&m);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
