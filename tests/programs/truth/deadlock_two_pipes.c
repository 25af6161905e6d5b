/* Two pipes in opposite directions with one message each way in flight: no deadlock. */
#include "truth.h"

static int p[2], q[2];

static void *left(void *unused)
{
	char c;

	for (int i = 0; i < 3; i++) {
		assert(write(p[1], "l", 1) == 1);
		assert(read(q[0], &c, 1) == 1 && c == 'r');
		tick();
	}
	return unused;
}

static void *right(void *unused)
{
	char c;

	for (int i = 0; i < 3; i++) {
		assert(write(q[1], "r", 1) == 1);
		assert(read(p[0], &c, 1) == 1 && c == 'l');
		assert(look());
	}
	return unused;
}

int main(void)
{
	assert(pipe(p) == 0 && pipe(q) == 0);
	return both(left, right, NULL);
}
