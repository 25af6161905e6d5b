/* Many short threads one after the other and a few at a time; ids and stacks are used again. */
#include "truth.h"

static int n;

static void *work(void *arg)
{
	int local = *(int *)arg;

	pthread_mutex_lock(&truth_lock);
	n += local;
	pthread_mutex_unlock(&truth_lock);
	return NULL;
}

int main(void)
{
	static int ones[4] = {1, 1, 1, 1};

	for (int round = 0; round < 5; round++) {
		pthread_t t[4];

		for (int i = 0; i < 4; i++)
			pthread_create(&t[i], NULL, work, &ones[i]);
		for (int i = 0; i < 4; i++)
			pthread_join(t[i], NULL);
	}
	return n != 20;
}
