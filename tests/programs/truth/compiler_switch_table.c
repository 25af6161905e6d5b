/* A switch that the compiler turns into a table, and a select between two globals. */
#include "truth.h"

int left = 1, right = 2;
static int got[2];

__attribute__((noinline)) static int choose(int side)
{
	return side ? left : right;
}

static void *reads_left(void *unused)
{
	got[0] = choose(1);
	return unused;
}

static void *writes_right(void *unused)
{
	right = 5;
	got[1] = choose(0);
	return unused;
}

int main(void)
{
	both(reads_left, writes_right, NULL);
	return got[0] != 1 || got[1] != 5;
}
