/*
 * A loop stores only where the mask says so; the other thread owns the elements outside the mask.
 * build: -O3 -mavx2
 */
#include "truth.h"
#define N 32
static int mask[N], cell[N];
static void *marked(void *unused)
{
	(void)unused;
	for (int i = 0; i < N; i++)
		if (mask[i])
			cell[i] = i * 2;
	return NULL;
}
static void *unmarked(void *unused)
{
	(void)unused;
	for (int i = 0; i < N; i++)
		if (!mask[i])
			cell[i] += 5;
	return NULL;
}
int main(void)
{
	for (int i = 0; i < N; i++)
		mask[i] = (i * 7) % 3 == 0;
	both(marked, unmarked, NULL);
	for (int i = 0; i < N; i++)
		assert(cell[i] == (mask[i] ? i * 2 : 5));
	return 0;
}
