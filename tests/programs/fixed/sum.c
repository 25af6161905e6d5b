#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#if VARIANT == 3
static int unused;

/* some lines
 * more
 */
#endif
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#if VARIANT == 2
static atomic_long sum;
#else
static long sum;
#endif

#if VARIANT == 4
#define add add_to_sum
#endif

static void add(long n)
{
#if VARIANT == 1
	pthread_mutex_lock(&m);
#endif
#if VARIANT == 6
	if (n > 100)
#endif
	sum += n;
#if VARIANT == 1
	pthread_mutex_unlock(&m);
#endif
}

static void *worker(void *arg)
{
	pthread_mutex_lock(&m); /* orders them in the recorded run */
	pthread_mutex_unlock(&m);
	add(1);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%ld\n", (long)sum);
#if VARIANT == 3
	unused++;
#endif
	return VARIANT == 5 ? 4 : 0;
}
