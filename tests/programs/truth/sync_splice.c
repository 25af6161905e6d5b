/* splice() and tee() carry the order from one pipe to the next. */
#include "truth.h"

static int p[2], q[2], x;

static void *first(void *unused)
{
	x = 9;
	assert(write(p[1], "abc", 3) == 3);
	return unused;
}

static void *last(void *unused)
{
	char got[4] = "";

	assert(splice(p[0], NULL, q[1], NULL, 3, 0) == 3);
	assert(read(q[0], got, 3) == 3 && strcmp(got, "abc") == 0);
	assert(x == 9);
	x = 0;
	return unused;
}

int main(void)
{
	assert(pipe(p) == 0 && pipe(q) == 0);
	both(last, first, NULL);
	return x;
}
