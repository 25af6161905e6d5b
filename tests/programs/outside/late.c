/*
 * begin.c delays the start of each thread. The first thread has started, and reads `a` before the
 * second one starts.
 * order: 0+,1,0,1,2
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static long a, b;

static void *one(void *arg)
{
	return arg;
}

static void *two(void *arg)
{
	sched_yield(); /* main writes `a` */
	b = a;
	return arg;
}

int main(void)
{
	pthread_t t, u;

	pthread_create(&u, NULL, two, NULL);
	pthread_create(&t, NULL, one, NULL);
	a = 1;
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	printf("%ld\n", b);
	return 0;
}
