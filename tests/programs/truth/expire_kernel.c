/*
 * poll, select, epoll_wait and SO_RCVTIMEO with long timeouts; another thread writes after a short
 * sleep each time.
 */
#include "truth.h"
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
static int s[2];
static void *writer(void *unused)
{
	char ok;

	(void)unused;
	for (int i = 0; i < 4; i++) {
		usleep(1000);
		tick();
		assert(send(s[1], "d", 1, 0) == 1);
		assert(recv(s[1], &ok, 1, 0) == 1);
	}
	return NULL;
}
static void take(void)
{
	char c;

	assert(recv(s[0], &c, 1, 0) == 1);
	assert(send(s[0], &c, 1, 0) == 1);
}
static void *reader(void *unused)
{
	struct pollfd p = {s[0], POLLIN, 0};
	struct timeval v = {30, 0};
	struct epoll_event e = {EPOLLIN, {0}};
	int ep = epoll_create1(0);
	fd_set set;

	(void)unused;
	assert(poll(&p, 1, 30000) == 1);
	take();
	FD_ZERO(&set);
	FD_SET(s[0], &set);
	assert(select(s[0] + 1, &set, NULL, NULL, &v) == 1);
	take();
	assert(!epoll_ctl(ep, EPOLL_CTL_ADD, s[0], &e));
	assert(epoll_wait(ep, &e, 1, 30000) == 1);
	take();
	v = (struct timeval){30, 0};
	setsockopt(s[0], SOL_SOCKET, SO_RCVTIMEO, &v, sizeof(v));
	take();
	return NULL;
}
int main(void)
{
	assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, s));
	both(reader, writer, NULL);
	assert(truth_count == 4);
	return 0;
}
