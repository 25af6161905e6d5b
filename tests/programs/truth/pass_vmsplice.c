/* vmsplice() maps the page into the pipe; the reader is done before it changes. The receiver then
 * owns the plain record. */
#include "truth.h"
#include <sys/uio.h>

static int p[2];
static char page[4096] __attribute__((aligned(4096))) = "page";
static int record[2];

static void *sender(void *unused)
{
	struct iovec v = {page, 4};

	record[0] = 3;
	record[1] = 4;
	assert(vmsplice(p[1], &v, 1, 0) == 4);
	return unused;
}

static void *receiver(void *unused)
{
	char c[4];

	assert(read(p[0], c, 4) == 4);
	page[0] = 'P';
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
