/* The end of a pipe tells that the writer has finished. */
#include "truth.h"

static int p[2], total;

static void *writer(void *unused)
{
	for (int i = 1; i <= 5; i++)
		total += i;
	close(p[1]);
	return unused;
}

static void *reader(void *unused)
{
	char c;

	assert(read(p[0], &c, 1) == 0);
	assert(total == 15);
	total = 0;
	return unused;
}

int main(void)
{
	assert(pipe(p) == 0);
	both(reader, writer, NULL);
	return total;
}
