/*
 * A pointer becomes NULL and valid again under a lock. Readers copy it under the lock and check the
 * copy.
 */
#include "truth.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int values[2] = {1, 2};
static int *current = &values[0];
static void *closer(void *arg)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&m);
		current = NULL;
		pthread_mutex_unlock(&m);
		pthread_mutex_lock(&m);
		current = &values[i % 2];
		pthread_mutex_unlock(&m);
	}
	return arg;
}
int main(void)
{
	pthread_t t;
	int sum = 0;

	assert(!pthread_create(&t, NULL, closer, NULL));
	for (int i = 0; i < 4; i++) {
		int *p;

		pthread_mutex_lock(&m);
		p = current;
		pthread_mutex_unlock(&m);
		if (p)
			sum += *p; /* the array never changes */
	}
	pthread_join(t, NULL);
	assert(sum >= 0 && sum <= 8);
	return 0;
}
