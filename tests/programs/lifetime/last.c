/*
 * Two owners drop their references in one lock region, and look whether it was the last one in the
 * next: both may see 0. The twin looks at its own result.
 *
 * order: creation
 * expect: double-free
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int refs = 2;
static char *shared;

static void *owner(void *arg)
{
	int left;

	pthread_mutex_lock(&lock);
	left = --refs;
#ifndef FIXED
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
	left = refs;
#endif
	pthread_mutex_unlock(&lock);
	if (!left)
		free(shared);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	shared = malloc(32);
	pthread_create(&a, NULL, owner, NULL);
	pthread_create(&b, NULL, owner, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
