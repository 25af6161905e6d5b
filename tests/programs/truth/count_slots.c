/*
 * Threads take the first free slot and print its number.
 *
 * options: --order creation
 */
#include "truth.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int used[4];

static int take(void)
{
	int i = 0;

	pthread_mutex_lock(&lock);
	while (used[i])
		i++;
	used[i] = 1;
	pthread_mutex_unlock(&lock);
	return i;
}

static void give(int i)
{
	pthread_mutex_lock(&lock);
	used[i] = 0;
	pthread_mutex_unlock(&lock);
}

static void *work(void *arg)
{
	int a = take(), b = take();

	printf("%s has slots %d and %d\n", (char *)arg, a, b);
	give(a);
	give(b);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, work, "ann");
	pthread_create(&b, NULL, work, "bob");
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
