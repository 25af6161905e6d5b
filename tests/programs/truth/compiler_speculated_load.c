/* A load under a condition that never holds. */
#include "truth.h"

int g;
static int r;

__attribute__((noinline)) static int f(int c)
{
	return c ? g : 7;
}

static void *reader(void *never)
{
	r = f(never != NULL);
	return never;
}

static void *writer(void *unused)
{
	g = 5;
	return unused;
}

int main(void)
{
	both(reader, writer, NULL);
	return r != 7;
}
