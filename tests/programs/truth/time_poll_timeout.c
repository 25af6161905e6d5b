/* poll(), select(), epoll_wait() and a condition take at least their timeouts. */
#include "truth.h"
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

static long ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void *work(void *unused)
{
	struct timeval tv = {0, 5000};
	struct epoll_event e;
	int ep = epoll_create1(0), p[2];
	long t = ms();

	assert(pipe(p) == 0);
	tick();
	assert(poll(&(struct pollfd){.fd = p[0], .events = POLLIN}, 1, 5) == 0);
	assert(ms() - t >= 4);
	tick();
	t = ms();
	assert(select(0, NULL, NULL, NULL, &tv) == 0);
	assert(ms() - t >= 4);
	t = ms();
	assert(epoll_wait(ep, &e, 1, 5) == 0);
	assert(ms() - t >= 4);
	tick();
	close(ep);
	close(p[0]);
	close(p[1]);
	return unused;
}

int main(void)
{
	return beside_look(work);
}
