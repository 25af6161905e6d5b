/* A store under a condition: the other branch must not store. */
#include "truth.h"

int shared[8];
static volatile int zero;

static void *maybe(void *unused)
{
	int c = zero;

	for (int i = 0; i < 8; i++)
		if (c)
			shared[i] = i;
	return unused;
}

static void *writer(void *unused)
{
	for (int i = 0; i < 8; i++)
		shared[i] = i + 1;
	return unused;
}

int main(void)
{
	both(maybe, writer, NULL);
	return shared[7] != 8;
}
