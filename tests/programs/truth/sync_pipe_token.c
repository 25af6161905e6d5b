/* One byte in a pipe is the lock. */
#include "truth.h"

static int p[2], x;

static void *work(void *unused)
{
	for (int i = 0; i < 4; i++) {
		char c;

		assert(read(p[0], &c, 1) == 1);
		x++;
		assert(write(p[1], &c, 1) == 1);
	}
	return unused;
}

int main(void)
{
	assert(pipe(p) == 0 && write(p[1], "t", 1) == 1);
	both(work, work, NULL);
	return x != 8;
}
