/*
 * Two threads close a log file on an error, each after a look under the lock.
 * The twin takes the file away in the same lock region.
 *
 * order: creation
 * expect: double-free
 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *file;

static void *fail(void *arg)
{
	FILE *f;

	pthread_mutex_lock(&lock);
	f = file;
#ifdef FIXED
	file = NULL;
#endif
	pthread_mutex_unlock(&lock);
	if (f)
		fclose(f);
	pthread_mutex_lock(&lock);
	file = NULL;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	file = fopen("/dev/null", "w");
	pthread_create(&a, NULL, fail, NULL);
	pthread_create(&b, NULL, fail, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
