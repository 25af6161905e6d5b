/*
 * A vector: its length is read in one lock region and an element in the next; another thread clears
 * it. The twin reads both in one.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int *data;
int n, answer;

static int last(void)
{
	int k, v = 0;

	pthread_mutex_lock(&lock);
	k = n;
#ifndef FIXED
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
#endif
	if (k)
		v = data[k - 1]; /* @use */
	pthread_mutex_unlock(&lock);
	return v;
}

static void *first(void *arg)
{
	answer = last();
	return arg;
}

static void *second(void *arg)
{
	pthread_mutex_lock(&lock);
	data = NULL;
	n = 0;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	data = calloc(4, sizeof(*data));
	n = 4;
	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
