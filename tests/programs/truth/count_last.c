/* The thread that decrements the counter to zero prints the summary. */
#include "truth.h"
#include <stdatomic.h>

static atomic_int left = 3, sum;
static void *work(void *arg)
{
	atomic_fetch_add(&sum, *(int *)arg);
	if (atomic_fetch_sub(&left, 1) == 1)
		printf("%d was last, sum %d\n", *(int *)arg, atomic_load(&sum));
	return NULL;
}

int main(void)
{
	int v[3] = {1, 2, 4};
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, work, &v[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return sum != 7;
}
