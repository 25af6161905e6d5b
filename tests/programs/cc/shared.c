/* Of the shared library of the little projects. */
#include "little.h"

static int hits[LITTLE_N];

void little_hit(int k)
{
	hits[k % LITTLE_N]++;
}

int little_hits(void)
{
	int s = 0;

	for (int i = 0; i < LITTLE_N; i++)
		s += hits[i];
	return s;
}
