/*
 * An epoll loop serves a timerfd, an eventfd and a pipe, and ends by the eventfd.
 */
#include "truth.h"
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
static int ep, ev, tfd, p[2];
static int bytes, ticks;
static void *loop(void *arg)
{
	for (;;) {
		struct epoll_event e[4];
		int n = epoll_wait(ep, e, 4, -1);

		for (int i = 0; i < n; i++) {
			uint64_t v;
			char b[8];

			if (e[i].data.fd == ev)
				return arg;
			if (e[i].data.fd == tfd && read(tfd, &v, sizeof(v)) == sizeof(v))
				ticks += v > 0;
			if (e[i].data.fd == p[0]) {
				ssize_t r = read(p[0], b, sizeof(b));

				bytes += r > 0 ? (int)r : 0;
			}
		}
	}
}
int main(void)
{
	struct itimerspec ts = {{0, 0}, {0, 1000000}};
	struct epoll_event e = {.events = EPOLLIN};
	uint64_t one = 1;
	pthread_t t;
	int fds[3];

	assert(!pipe(p));
	ep = epoll_create1(0);
	fds[0] = ev = eventfd(0, 0);
	fds[1] = tfd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
	fds[2] = p[0];
	fcntl(p[0], F_SETFL, O_NONBLOCK);
	for (int i = 0; i < 3; i++) {
		e.data.fd = fds[i];
		assert(!epoll_ctl(ep, EPOLL_CTL_ADD, fds[i], &e));
	}
	timerfd_settime(tfd, 0, &ts, NULL);
	assert(!pthread_create(&t, NULL, loop, NULL));
	for (int i = 0; i < 3; i++)
		assert(write(p[1], "abc", 3) == 3);
	assert(write(ev, &one, sizeof(one)) == sizeof(one));
	pthread_join(t, NULL);
	assert(bytes <= 9 && ticks <= 1);
	return 0;
}
