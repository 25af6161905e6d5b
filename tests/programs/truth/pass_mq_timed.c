/* mq_timedsend() and mq_timedreceive(). The receiver then owns the plain record. */
/* link: -lrt */
#include "truth.h"
#include <mqueue.h>

static mqd_t q;
static int record[2];

static void *sender(void *unused)
{
	struct timespec t = {time(NULL) + 60, 0};

	record[0] = 3;
	record[1] = 4;
	assert(mq_timedsend(q, "m", 1, 0, &t) == 0);
	return unused;
}

static void *receiver(void *unused)
{
	struct timespec t = {time(NULL) + 60, 0};
	char c[8];

	assert(mq_timedreceive(q, c, 8, NULL, &t) == 1);
	assert(record[0] + record[1] == 7);
	record[0] = 0;
	return unused;
}

int main(void)
{
	struct mq_attr a = {.mq_maxmsg = 2, .mq_msgsize = 8};
	char name[64];

	snprintf(name, sizeof(name), "/truth-mqt-%d-%ld", (int)getpid(), (long)time(NULL));
	q = mq_open(name, O_CREAT | O_EXCL | O_RDWR, 0600, &a);
	if (q == (mqd_t)-1)
		return 0; /* no queues here */
	mq_unlink(name);
	both(receiver, sender, NULL);
	return record[0];
}
