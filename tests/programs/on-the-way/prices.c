#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int *prices;

static void *load(void *arg)
{
	int *p = malloc(4 * sizeof(*p));

	p[2] = 5;
	pthread_mutex_lock(&lock);
	prices = p;
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *quote(void *arg)
{
	int *p;

	pthread_mutex_lock(&lock);
	p = prices;
	pthread_mutex_unlock(&lock);
#ifdef CHECK
	assert(p);
#endif
#ifdef LEAVE
	if (!p)
		exit(4);
#endif
	*(int *)arg = p[2];
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	int n = 0;

	pthread_create(&a, NULL, load, NULL);
	pthread_create(&b, NULL, quote, &n);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%d\n", n);
	return 0;
}
