/* pselect() on a pipe. The receiver then owns the plain record. */
#include "truth.h"
#include <sys/select.h>

static int p[2];
static int record[2];

static void *sender(void *unused)
{
	record[0] = 3;
	record[1] = 4;
	assert(write(p[1], "s", 1) == 1);
	return unused;
}

static void *receiver(void *unused)
{
	fd_set f;

	FD_ZERO(&f);
	FD_SET(p[0], &f);
	assert(pselect(p[0] + 1, &f, NULL, NULL, NULL, NULL) == 1);
	assert(record[0] + record[1] == 7);
	record[0] = 0;
	return unused;
}

int main(void)
{
	assert(pipe(p) == 0);
	both(receiver, sender, NULL);
	return record[0];
}
