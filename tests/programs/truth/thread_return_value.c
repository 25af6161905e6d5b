/* A thread returns a heap record through pthread_join(). */
#include "truth.h"

static void *work(void *arg)
{
	int *r = malloc(sizeof(*r));

	*r = *(int *)arg + 1;
	return r;
}

int main(void)
{
	int in[2] = {3, 8}, *out[2];
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, &in[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], (void **)&out[i]);
	int bad = *out[0] != 4 || *out[1] != 9;
	free(out[0]);
	free(out[1]);
	return bad;
}
