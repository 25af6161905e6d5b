/*
 * Threads take permits from a semaphore and print the number of permits left.
 *
 * options: --order creation
 */
#include "truth.h"
#include <semaphore.h>

static sem_t s;

static void *work(void *arg)
{
	int left;

	sem_wait(&s);
	tick();
	sem_getvalue(&s, &left);
	printf("%s: %d left\n", (char *)arg, left);
	assert(look());
	sem_post(&s);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	sem_init(&s, 0, 3);
	pthread_create(&a, NULL, work, "ann");
	pthread_create(&b, NULL, work, "bob");
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
