/* Of the program of the little projects: two threads, a static and a shared library. */
#include "little.h"
#include <pthread.h>
#include <stdio.h>

static void *work(void *arg)
{
	for (int i = 0; i < 100; i++) {
		little_add(i);
		if (arg)
			little_hit(i);
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, &a);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%d %d\n", little_balance, little_hits());
	return 0;
}
