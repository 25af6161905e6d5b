/*
 * A hash set: a search assumes that the element is there, and another thread removes it.
 * The twin notices the end of the bucket.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct item {
	struct item *next;
	int key;
};
struct item *bucket[4];
int answer, steps; /* the optimiser must keep the search, which counts its steps */

static int contains(int key)
{
	struct item *i;

	pthread_mutex_lock(&lock);
	i = bucket[key % 4];
#ifdef FIXED
	for (; i && i->key != key; i = i->next)
#else
	for (; i->key != key; i = i->next) /* @use */
#endif
		steps++;
	pthread_mutex_unlock(&lock);
	return i != NULL;
}

static void *first(void *arg)
{
	answer = contains(6);
	return arg;
}

static void *second(void *arg)
{
	pthread_mutex_lock(&lock);
	bucket[2] = NULL;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	bucket[2] = calloc(1, sizeof(*bucket[2]));
	bucket[2]->key = 6;
	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
