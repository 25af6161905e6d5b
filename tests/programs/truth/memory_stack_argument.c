/* A thread uses its creator's local variable until the creator joins it; then the frame is used
 * again. */
#include "truth.h"

static void *twice(void *p)
{
	*(int *)p *= 2;
	return NULL;
}

__attribute__((noinline)) static int one(int v)
{
	int local = v;
	pthread_t t;

	pthread_create(&t, NULL, twice, &local);
	pthread_join(t, NULL);
	return local;
}

int main(void)
{
	int sum = 0;

	for (int i = 0; i < 4; i++)
		sum += one(i);
	return sum != 12;
}
