/* Sixty threads at once. */
#include "truth.h"

static void *work(void *unused)
{
	tick();
	return unused;
}

int main(void)
{
	pthread_t t[60];

	for (int i = 0; i < 60; i++)
		assert(pthread_create(&t[i], NULL, work, NULL) == 0);
	assert(look());
	for (int i = 0; i < 60; i++)
		pthread_join(t[i], NULL);
	return truth_count != 60;
}
