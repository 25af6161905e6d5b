/* The program prints which thread was first, which any schedule may decide. */
#include "truth.h"
#include <stdatomic.h>

static atomic_int first;

static void *work(void *arg)
{
	int none = 0;

	tick();
	atomic_compare_exchange_strong(&first, &none, (int)(long)arg);
	tick();
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, work, (void *)1);
	pthread_create(&b, NULL, work, (void *)2);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("thread %d was first\n", atomic_load(&first));
	return 0;
}
