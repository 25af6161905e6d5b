/*
 * A progress field that grows: threads write it only if their own number is larger. Behind it, a
 * null dereference.
 * order: creation
 * kinds: null-dereference
 * subject: current
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int progress;
int *current;

static void advance(int n)
{
	pthread_mutex_lock(&m);
	if (n > progress)
		progress = n;
	pthread_mutex_unlock(&m);
}

static void *work(void *arg)
{
	advance(1);
	pthread_mutex_lock(&m);
	*current += 1;
	pthread_mutex_unlock(&m);
	advance(2);
	return arg;
}

static void *end(void *arg)
{
	advance(3);
	pthread_mutex_lock(&m);
	current = NULL;
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	static int value;
	pthread_t t[2];

	current = &value;
	pthread_create(&t[0], NULL, work, NULL);
#ifdef FIXED
	pthread_join(t[0], NULL);
#endif
	pthread_create(&t[1], NULL, end, NULL);
#ifndef FIXED
	pthread_join(t[0], NULL);
#endif
	pthread_join(t[1], NULL);
	return 0;
}
