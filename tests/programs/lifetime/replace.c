/*
 * Two threads replace a name, each in three steps: both free the same old name.
 * order: creation
 * expect: double-free
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *name;

static void *rename_to(void *arg)
{
	char *fresh = strdup(arg), *old;

	pthread_mutex_lock(&lock);
	old = name;
#ifndef FIXED
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
#endif
	name = fresh;
	pthread_mutex_unlock(&lock);
	free(old);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	name = strdup("nobody");
	pthread_create(&a, NULL, rename_to, "left");
	pthread_create(&b, NULL, rename_to, "right");
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	free(name);
	return 0;
}
