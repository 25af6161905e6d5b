/*
 * Threads draw two tickets each from an atomic counter and print the distance.
 *
 * options: --order creation
 */
#include "truth.h"
#include <stdatomic.h>

static atomic_int ticket;

static void *work(void *arg)
{
	int a = atomic_fetch_add(&ticket, 1), b = atomic_fetch_add(&ticket, 1);

	printf("%s: %d between\n", (char *)arg, b - a - 1);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, work, "ann");
	pthread_create(&b, NULL, work, "bob");
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return ticket != 4;
}
