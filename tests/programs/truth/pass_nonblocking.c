/* A non-blocking pipe polled in a loop. The receiver then owns the plain record. */
#include "truth.h"

static int p[2];
static int record[2];

static void *sender(void *unused)
{
	record[0] = 3;
	record[1] = 4;
	assert(write(p[1], "n", 1) == 1);
	return unused;
}

static void *receiver(void *unused)
{
	char c;

	while (read(p[0], &c, 1) != 1) {
		assert(errno == EAGAIN);
		usleep(200);
	}
	assert(record[0] + record[1] == 7);
	record[0] = 0;
	return unused;
}

int main(void)
{
	assert(pipe2(p, O_NONBLOCK) == 0);
	both(receiver, sender, NULL);
	return record[0];
}
