/* A write that waits until the pipe has room. The receiver then owns the plain record. */
#include "truth.h"

static int p[2];
static char block[65536];
static int record[2];

static void *sender(void *unused)
{
	record[0] = 3;
	record[1] = 4;
	assert(read(p[0], block, sizeof(block)) == sizeof(block));
	return unused;
}

static void *receiver(void *unused)
{
	assert(write(p[1], "m", 1) == 1);
	assert(record[0] + record[1] == 7);
	record[0] = 0;
	return unused;
}

int main(void)
{
	assert(pipe(p) == 0 && fcntl(p[1], F_GETPIPE_SZ) == 65536);
	assert(write(p[1], block, sizeof(block)) == sizeof(block));
	both(receiver, sender, NULL);
	return record[0];
}
