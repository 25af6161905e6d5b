/*
 * A sampler takes two samples of a counter and prints their difference.
 *
 * options: --order creation
 */
#include "truth.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int n;

static void *work(void *unused)
{
	for (int i = 0; i < 6; i++) {
		pthread_mutex_lock(&lock);
		n++;
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

static void *sample(void *unused)
{
	int a, b;

	pthread_mutex_lock(&lock);
	a = n;
	pthread_mutex_unlock(&lock);
	usleep(100);
	pthread_mutex_lock(&lock);
	b = n;
	pthread_mutex_unlock(&lock);
	printf("%d in between\n", b - a);
	return unused;
}

int main(void)
{
	both(sample, work, NULL);
	printf("%d in all\n", n);
	return n != 6;
}
