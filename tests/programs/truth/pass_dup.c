/* The order goes through duplicates of the descriptors. The receiver then owns the plain record. */
#include "truth.h"

static int p[2], in, out;
static int record[2];

static void *sender(void *unused)
{
	record[0] = 3;
	record[1] = 4;
	assert(write(out, "d", 1) == 1);
	return unused;
}

static void *receiver(void *unused)
{
	char c;

	assert(read(in, &c, 1) == 1);
	assert(record[0] + record[1] == 7);
	record[0] = 0;
	return unused;
}

int main(void)
{
	assert(pipe(p) == 0);
	in = dup(p[0]);
	out = fcntl(p[1], F_DUPFD, 10);
	close(p[0]);
	close(p[1]);
	both(receiver, sender, NULL);
	return record[0];
}
