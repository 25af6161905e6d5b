/* The receiver waits until a file is gone. The receiver then owns the plain record. */
#include "truth.h"

static int record[2];

static void *sender(void *unused)
{
	record[0] = 3;
	record[1] = 4;
	assert(unlink("going") == 0);
	return unused;
}

static void *receiver(void *unused)
{
	while (access("going", F_OK) == 0)
		usleep(200);
	assert(record[0] + record[1] == 7);
	record[0] = 0;
	return unused;
}

int main(void)
{
	close(open("going", O_CREAT | O_WRONLY, 0600));
	both(receiver, sender, NULL);
	return record[0];
}
