/*
 * A counter that is stored only if something was found must not be stored otherwise: the other
 * thread may own it then.
 */
#include "truth.h"
#include <stdatomic.h>
static int input[2][8], found;
static atomic_int turn;
static void scan(const int *a, int n)
{
	for (int i = 0; i < n; i++)
		if (a[i] > 100)
			found++;
}
static void *first(void *unused)
{
	(void)unused;
	scan(input[0], 8); /* finds nothing, so it touches nothing */
	scan(input[0], 4);
	return NULL;
}
static void *second(void *unused)
{
	(void)unused;
	scan(input[1], 8);
	atomic_store(&turn, 1);
	return NULL;
}
int main(void)
{
	input[1][2] = 200;
	input[1][5] = 300;
	both(first, second, NULL);
	assert(found == 2);
	return 0;
}
