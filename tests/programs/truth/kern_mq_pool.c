/*
 * Buffers of a static pool circulate through two message queues, one with the free and one with the
 * filled ones.
 * link: -lrt
 */
#include "truth.h"
#include <mqueue.h>
static char pool[2][32];
static mqd_t idle, filled;
static mqd_t make(const char *what)
{
	struct mq_attr a = {.mq_maxmsg = 4, .mq_msgsize = sizeof(int)};
	char name[64];
	mqd_t q;

	snprintf(name, sizeof(name), "/truth-%s-%d", what, (int)getpid());
	q = mq_open(name, O_CREAT | O_EXCL | O_RDWR, 0600, &a);
	assert(q != (mqd_t)-1);
	mq_unlink(name);
	return q;
}
static void *producer(void *unused)
{
	(void)unused;
	for (int i = 0; i < 5; i++) {
		int k;

		assert(mq_receive(idle, (char *)&k, sizeof(k), NULL) == sizeof(k));
		snprintf(pool[k], sizeof(pool[k]), "item %d", i);
		assert(!mq_send(filled, (char *)&k, sizeof(k), 0));
	}
	return NULL;
}
static void *consumer(void *unused)
{
	(void)unused;
	for (int i = 0; i < 5; i++) {
		int k;

		assert(mq_receive(filled, (char *)&k, sizeof(k), NULL) == sizeof(k));
		assert(pool[k][5] == '0' + i);
		pool[k][5] = '?';
		assert(!mq_send(idle, (char *)&k, sizeof(k), 0));
	}
	return NULL;
}
int main(void)
{
	idle = make("idle");
	filled = make("filled");
	for (int k = 0; k < 2; k++)
		assert(!mq_send(idle, (char *)&k, sizeof(k), 0));
	return both(producer, consumer, NULL);
}
