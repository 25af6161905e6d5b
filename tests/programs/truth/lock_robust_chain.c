/*
 * A robust mutex passes through three threads that end while they hold it; each heir repairs the
 * state.
 */
#include "truth.h"
static pthread_mutex_t m;
static int n;
static void *run(void *arg)
{
	int r = pthread_mutex_lock(&m);

	if (r == EOWNERDEAD)
		pthread_mutex_consistent(&m);
	else
		assert(!r);
	n++;
	return arg; /* still holds it */
}
int main(void)
{
	pthread_mutexattr_t a;
	pthread_t t[3];
	int r;

	pthread_mutexattr_init(&a);
	pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&m, &a);
	for (int i = 0; i < 3; i++)
		assert(!pthread_create(&t[i], NULL, run, NULL));
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	r = pthread_mutex_lock(&m);
	assert(r == EOWNERDEAD && n == 3);
	pthread_mutex_consistent(&m);
	pthread_mutex_unlock(&m);
	return 0;
}
