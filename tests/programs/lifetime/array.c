/*
 * A thread appends to an array with realloc; another one keeps a pointer into it.
 * order: creation
 * expect: use-after-free
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *array, n = 4;

static void *user(void *arg)
{
	int *last;

	pthread_mutex_lock(&lock);
	last = &array[n - 1];
#ifdef FIXED
	*last = 1;
	pthread_mutex_unlock(&lock);
#else
	pthread_mutex_unlock(&lock);
	*last = 1;
#endif
	return arg;
}

static void *append(void *arg)
{
	pthread_mutex_lock(&lock);
	array = realloc(array, (size_t)(n + 1) * sizeof(*array));
	array[n++] = 5;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	array = calloc((size_t)n, sizeof(*array));
	pthread_create(&a, NULL, user, NULL);
	pthread_create(&b, NULL, append, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	free(array);
	return 0;
}
