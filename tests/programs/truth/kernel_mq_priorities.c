/*
 * Messages of two priorities pass buffers between threads through a POSIX queue.
 * link: -lrt
 */
#include "truth.h"
#include <mqueue.h>
static mqd_t q;
static int data[4];
static void *sender(void *arg)
{
	for (int i = 0; i < 4; i++) {
		data[i] = i + 1;
		assert(!mq_send(q, (char *)&i, sizeof(i), (unsigned)i % 2));
	}
	return arg;
}
int main(void)
{
	struct mq_attr a = {.mq_maxmsg = 4, .mq_msgsize = sizeof(int)};
	char name[40];
	pthread_t t;
	int sum = 0;

	snprintf(name, sizeof(name), "/truth-%d", (int)getpid());
	q = mq_open(name, O_CREAT | O_RDWR, 0600, &a);
	assert(q != (mqd_t)-1 && !mq_unlink(name));
	assert(!pthread_create(&t, NULL, sender, NULL));
	for (int i = 0; i < 4; i++) {
		int k;

		assert(mq_receive(q, (char *)&k, sizeof(k), NULL) == sizeof(k));
		sum += data[k];
	}
	pthread_join(t, NULL);
	assert(sum == 10);
	return 0;
}
