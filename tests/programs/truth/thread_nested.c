/* Threads create threads; each joins its own. */
#include "truth.h"

static int sum[7];

static void *tree(void *arg)
{
	long me = (long)arg;
	pthread_t l, r;

	if (me < 3) {
		pthread_create(&l, NULL, tree, (void *)(2 * me + 1));
		pthread_create(&r, NULL, tree, (void *)(2 * me + 2));
		pthread_join(l, NULL);
		pthread_join(r, NULL);
		sum[me] = sum[2 * me + 1] + sum[2 * me + 2];
	} else {
		sum[me] = 1;
	}
	return NULL;
}

int main(void)
{
	tree((void *)0);
	return sum[0] != 4;
}
