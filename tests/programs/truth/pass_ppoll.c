/* ppoll() sees the hang-up when the writer closes. The receiver then owns the plain record. */
#include "truth.h"
#include <poll.h>

static int p[2];
static int record[2];

static void *sender(void *unused)
{
	record[0] = 3;
	record[1] = 4;
	close(p[1]);
	return unused;
}

static void *receiver(void *unused)
{
	struct pollfd f = {.fd = p[0], .events = POLLIN};

	assert(ppoll(&f, 1, NULL, NULL) == 1 && f.revents & POLLHUP);
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
