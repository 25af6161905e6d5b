/* Two threads use different fields of the same array of structures; loops a vectoriser likes. */
/* build: -ftree-vectorize */
#include "truth.h"

static struct pair {
	int a, b;
} arr[512];
static long sum;

static void *reads_a(void *unused)
{
	int s = 0;

	for (int i = 0; i < 511; i++)
		s += arr[i].a;
	sum = s;
	return unused;
}

static void *writes_b(void *unused)
{
	for (int i = 0; i < 512; i++)
		arr[i].b = i ^ 5;
	return unused;
}

int main(void)
{
	for (int i = 0; i < 512; i++)
		arr[i].a = i;
	both(reads_a, writes_b, NULL);
	return sum != 510 * 511 / 2;
}
