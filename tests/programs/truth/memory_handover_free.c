/* One thread allocates, the other frees: the pointer goes through a pipe. */
#include "truth.h"

static int p[2];

static void *maker(void *unused)
{
	for (int i = 0; i < 4; i++) {
		int *x = malloc(sizeof(*x));

		*x = i;
		assert(write(p[1], &x, sizeof(x)) == sizeof(x));
	}
	return unused;
}

static void *user(void *unused)
{
	for (int i = 0; i < 4; i++) {
		int *x;

		assert(read(p[0], &x, sizeof(x)) == sizeof(x));
		assert(*x == i);
		free(x);
	}
	return unused;
}

int main(void)
{
	assert(pipe(p) == 0);
	return both(user, maker, NULL);
}
