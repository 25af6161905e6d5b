/* Two functions, `audit` and `watch`, read a total twice, each time through a helper that locks.
 * Another thread adds to it. Only the function that the user names must be atomic. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long total;

__attribute__((noinline)) static long get(void)
{
	long n;

	pthread_mutex_lock(&lock);
	n = total; /* @get */
	pthread_mutex_unlock(&lock);
	return n;
}

__attribute__((noinline)) static long audit(void)
{
	long before = get();

	return get() - before;
}

__attribute__((noinline)) static long watch(void)
{
	long before = get();

	return get() - before;
}

static void *add(void *arg)
{
	pthread_mutex_lock(&lock);
	total = 1; /* @add */
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;
	long n;

	pthread_create(&t, NULL, add, NULL);
	n = watch();
	n += audit();
	pthread_join(t, NULL);
	printf("%ld\n", n);
	return 0;
}
