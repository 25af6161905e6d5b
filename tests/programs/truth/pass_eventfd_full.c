/* A write that waits until the counter is read. The receiver then owns the plain record. */
#include "truth.h"
#include <sys/eventfd.h>

static int ev;
static int record[2];

static void *sender(void *unused)
{
	uint64_t n;

	record[0] = 3;
	record[1] = 4;
	assert(read(ev, &n, 8) == 8);
	return unused;
}

static void *receiver(void *unused)
{
	uint64_t one = 1;

	assert(write(ev, &one, 8) == 8);
	assert(record[0] + record[1] == 7);
	record[0] = 0;
	return unused;
}

int main(void)
{
	uint64_t most = UINT64_MAX - 1;

	ev = eventfd(0, 0);
	assert(write(ev, &most, 8) == 8);
	both(receiver, sender, NULL);
	return record[0];
}
