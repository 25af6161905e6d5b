/* An event loop: epoll tells that a record is ready. */
#include "truth.h"
#include <sys/epoll.h>
#include <sys/eventfd.h>

static int ep, ev, job, seen;

static void *loop(void *unused)
{
	while (seen < 3) {
		struct epoll_event e;
		eventfd_t n;

		if (epoll_wait(ep, &e, 1, -1) != 1)
			continue;
		assert(e.data.fd == ev && eventfd_read(ev, &n) == 0);
		pthread_mutex_lock(&truth_lock);
		seen = job;
		pthread_mutex_unlock(&truth_lock);
	}
	return unused;
}

static void *poster(void *unused)
{
	for (int i = 1; i <= 3; i++) {
		pthread_mutex_lock(&truth_lock);
		job = i;
		pthread_mutex_unlock(&truth_lock);
		assert(eventfd_write(ev, 1) == 0);
	}
	return unused;
}

int main(void)
{
	struct epoll_event e = {.events = EPOLLIN};

	ep = epoll_create1(0);
	ev = eventfd(0, 0);
	e.data.fd = ev;
	assert(epoll_ctl(ep, EPOLL_CTL_ADD, ev, &e) == 0);
	both(loop, poster, NULL);
	return seen != 3;
}
