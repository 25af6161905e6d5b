/*
 * A search ends at the first match; what lies behind it belongs to the other thread.
 * build: -O3 -mavx2
 */
#include "truth.h"
#define N 40
static int key[N];
static int find(int k)
{
	int i = 0;

	while (key[i] != k)
		i++;
	return i;
}
static void *finder(void *unused)
{
	(void)unused;
	assert(find(9) == 19);
	assert(memchr(key, 1, 4) == NULL);
	return NULL;
}
static void *owner(void *unused)
{
	(void)unused;
	for (int i = 20; i < N; i++)
		key[i] = i;
	return NULL;
}
int main(void)
{
	key[19] = 9;
	return both(finder, owner, NULL);
}
