/* A POSIX message queue passes the ownership of a record. */
/* link: -lrt */
#include "truth.h"
#include <mqueue.h>

static mqd_t q;
static struct {
	int a, b;
} rec;

static void *sender(void *unused)
{
	char msg[8] = "go";

	rec.a = 3;
	rec.b = 4;
	assert(mq_send(q, msg, sizeof(msg), 1) == 0);
	return unused;
}

static void *receiver(void *unused)
{
	char got[8];
	unsigned prio;

	assert(mq_receive(q, got, sizeof(got), &prio) == 8);
	assert(strcmp(got, "go") == 0 && prio == 1 && rec.a + rec.b == 7);
	rec.a = 0;
	return unused;
}

int main(void)
{
	struct mq_attr at = {.mq_maxmsg = 2, .mq_msgsize = 8};
	char name[64];

	snprintf(name, sizeof(name), "/truth-mq-%d-%ld", (int)getpid(), (long)time(NULL));
	q = mq_open(name, O_CREAT | O_EXCL | O_RDWR, 0600, &at);
	if (q == (mqd_t)-1)
		return 0; /* no queues on this machine */
	mq_unlink(name);
	return both(receiver, sender, NULL);
}
