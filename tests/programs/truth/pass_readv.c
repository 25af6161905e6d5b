/* writev() and readv() over a pipe. The receiver then owns the plain record. */
#include "truth.h"
#include <sys/uio.h>

static int p[2];
static char out[4] = "ab";
static int record[2];

static void *sender(void *unused)
{
	struct iovec v[2] = {{out, 1}, {out + 1, 1}};

	record[0] = 3;
	record[1] = 4;
	assert(writev(p[1], v, 2) == 2);
	return unused;
}

static void *receiver(void *unused)
{
	char c[2];
	struct iovec v[2] = {{c, 1}, {c + 1, 1}};

	assert(readv(p[0], v, 2) == 2);
	out[0] = 'z';
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
