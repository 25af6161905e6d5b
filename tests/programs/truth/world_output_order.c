/* Two threads print lines; the order varies from run to run. */
#include "truth.h"

static void *left(void *unused)
{
	for (int i = 0; i < 4; i++) {
		printf("left %d\n", i);
		fflush(stdout);
		tick();
	}
	return unused;
}

static void *right(void *unused)
{
	for (int i = 0; i < 4; i++) {
		printf("right %d\n", i);
		fflush(stdout);
		assert(look());
	}
	return unused;
}

int main(void)
{
	return both(left, right, NULL);
}
