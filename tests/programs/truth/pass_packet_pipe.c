/* A pipe in packet mode. The receiver then owns the plain record. */
#include "truth.h"

static int p[2];
static int record[2];

static void *sender(void *unused)
{
	record[0] = 3;
	record[1] = 4;
	assert(write(p[1], "pk", 2) == 2);
	return unused;
}

static void *receiver(void *unused)
{
	char c[8];

	assert(read(p[0], c, 8) == 2);
	assert(record[0] + record[1] == 7);
	record[0] = 0;
	return unused;
}

int main(void)
{
	assert(pipe2(p, O_DIRECT) == 0);
	both(receiver, sender, NULL);
	return record[0];
}
