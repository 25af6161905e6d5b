/* FIONREAD tells how much is in the pipe. The receiver then owns the plain record. */
#include "truth.h"
#include <sys/ioctl.h>

static int p[2];
static int record[2];

static void *sender(void *unused)
{
	record[0] = 3;
	record[1] = 4;
	assert(write(p[1], "four", 4) == 4);
	return unused;
}

static void *receiver(void *unused)
{
	int n = 0;

	while (n != 4) {
		assert(ioctl(p[0], FIONREAD, &n) == 0);
		usleep(200);
	}
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
