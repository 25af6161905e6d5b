/*
 * A thread prints a title while another one replaces and frees it.
 * order: creation
 * expect: use-after-free
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *title;
static size_t length;

static void *printer(void *arg)
{
	char *t;

	pthread_mutex_lock(&lock);
	t = title;
#ifdef FIXED
	length = strlen(t);
	pthread_mutex_unlock(&lock);
#else
	pthread_mutex_unlock(&lock);
	length = strlen(t);
#endif
	return arg;
}

static void *editor(void *arg)
{
	char *fresh = strdup("a new title"), *old;

	pthread_mutex_lock(&lock);
	old = title;
	title = fresh;
	pthread_mutex_unlock(&lock);
	free(old);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	title = strdup("the old title");
	pthread_create(&a, NULL, printer, NULL);
	pthread_create(&b, NULL, editor, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return length == 1;
}
