/*
 * A string is passed to libc, which crashes if it is null.
 * The twin has an empty string instead.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
const char *name;
unsigned long seen;

static void *first(void *arg)
{
	pthread_mutex_lock(&lock);
	seen = strlen(name); /* @use */
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *second(void *arg)
{
	pthread_mutex_lock(&lock);
#ifdef FIXED
	name = "";
#else
	name = NULL;
#endif
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	name = "somebody";
	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
