/* epoll_wait() sees a descriptor that is added while it waits. The receiver then owns the plain
 * record. */
#include "truth.h"
#include <sys/epoll.h>
#include <sys/eventfd.h>

static int ep, ev;
static int record[2];

static void *sender(void *unused)
{
	struct epoll_event e = {.events = EPOLLIN};

	record[0] = 3;
	record[1] = 4;
	assert(epoll_ctl(ep, EPOLL_CTL_ADD, ev, &e) == 0);
	return unused;
}

static void *receiver(void *unused)
{
	struct epoll_event e;

	assert(epoll_wait(ep, &e, 1, -1) == 1);
	assert(record[0] + record[1] == 7);
	record[0] = 0;
	return unused;
}

int main(void)
{
	ep = epoll_create1(0);
	ev = eventfd(1, 0);
	both(receiver, sender, NULL);
	return record[0];
}
