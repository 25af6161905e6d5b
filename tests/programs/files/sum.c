/*
 * Two threads add to a sum without a lock; a mutex orders them in the recorded run. The input, if
 * there is any, is read and added too.
 */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long sum;

static void *worker(void *arg)
{
	pthread_mutex_lock(&m);
#ifndef FIXED
	pthread_mutex_unlock(&m);
#endif
	sum += 1;
#ifdef FIXED
	pthread_mutex_unlock(&m);
#endif
	return arg;
}

int main(void)
{
	pthread_t t[2];
	char c;

	while (read(0, &c, 1) == 1)
		sum += c == 'x';
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("%ld\n", sum);
	return 0;
}
