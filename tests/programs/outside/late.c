/* Threads that begin late, because begin.c delays them. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static long a, b;

static void *one(void *arg)
{
	return arg;
}

static void *two(void *arg)
{
	usleep(400000);
	b = a;
	return arg;
}

int main(void)
{
	pthread_t t, u;

	pthread_create(&u, NULL, two, NULL);
	usleep(500000); /* it has begun, and reads before the next one begins */
	pthread_create(&t, NULL, one, NULL);
	a = 1;
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	printf("%ld\n", b);
	return 0;
}
