/* Threads with the smallest stack that is allowed. */
#include "truth.h"
#include <limits.h>

static int x;

static void *work(void *unused)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&truth_lock);
		x++;
		pthread_mutex_unlock(&truth_lock);
	}
	return unused;
}

int main(void)
{
	pthread_attr_t a;
	pthread_t t[3];

	pthread_attr_init(&a);
	assert(pthread_attr_setstacksize(&a, (size_t)sysconf(_SC_THREAD_STACK_MIN)) == 0);
	for (int i = 0; i < 3; i++)
		assert(pthread_create(&t[i], &a, work, NULL) == 0);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return x != 9;
}
