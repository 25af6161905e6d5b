/* alloca() and variable arrays differ in size from call to call. */
#include "truth.h"
#include <alloca.h>

static long sum(int n)
{
	int *a = alloca(n * sizeof(int)), b[n];
	long s = 0;

	for (int i = 0; i < n; i++) {
		a[i] = i;
		b[i] = a[i];
	}
	for (int i = 0; i < n; i++)
		s += b[i];
	return s;
}

static void *work(void *unused)
{
	for (int n = 1; n < 20; n++)
		assert(sum(n) == n * (n - 1) / 2);
	return unused;
}

int main(void)
{
	return both(work, work, NULL);
}
