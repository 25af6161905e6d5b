/* tee() copies a pipe's content to another pipe. The receiver then owns the plain record. */
#include "truth.h"

static int p[2], q[2];
static int record[2];

static void *sender(void *unused)
{
	record[0] = 3;
	record[1] = 4;
	assert(write(p[1], "t", 1) == 1);
	return unused;
}

static void *receiver(void *unused)
{
	char c;

	assert(tee(p[0], q[1], 1, 0) == 1 && read(q[0], &c, 1) == 1);
	assert(record[0] + record[1] == 7);
	record[0] = 0;
	return unused;
}

int main(void)
{
	assert(pipe(p) == 0 && pipe(q) == 0);
	both(receiver, sender, NULL);
	return record[0];
}
