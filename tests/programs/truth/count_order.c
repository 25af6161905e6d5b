/*
 * Threads note the order in which they end; the program prints it as one line.
 *
 * options: --order creation
 */
#include "truth.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static char order[8];
static int n;

static void *work(void *arg)
{
	tick();
	assert(look());
	pthread_mutex_lock(&lock);
	order[n++] = *(char *)arg;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, work, &"abc"[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	printf("order %s\n", order);
	return 0;
}
