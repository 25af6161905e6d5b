/* The second thread gets the block that the first one freed. */
#include "truth.h"

static void *work(void *unused)
{
	for (int i = 0; i < 4; i++) {
		int *p = malloc(64);

		p[0] = i;
		p[15] = -i;
		assert(p[0] + p[15] == 0);
		free(p);
	}
	return unused;
}

int main(void)
{
	return both(work, work, NULL);
}
