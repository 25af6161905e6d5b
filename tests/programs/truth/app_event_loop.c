/* An event loop over epoll with an eventfd, a pipe and a timer. */
#include "truth.h"
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

static int ev, p[2], tm, ended, bytes, ticks;

static void *poster(void *unused)
{
	for (int i = 0; i < 3; i++)
		assert(write(p[1], "abc", 3) == 3);
	tick();
	assert(eventfd_write(ev, 1) == 0);
	return unused;
}

static void *loop(void *unused)
{
	struct epoll_event e, es[4];
	int ep = epoll_create1(EPOLL_CLOEXEC), fds[3] = {ev, p[0], tm};

	for (int i = 0; i < 3; i++) {
		e.events = EPOLLIN;
		e.data.fd = fds[i];
		assert(epoll_ctl(ep, EPOLL_CTL_ADD, fds[i], &e) == 0);
	}
	while (!ended || bytes < 9 || !ticks) {
		int n = epoll_wait(ep, es, 4, 1000);

		for (int i = 0; i < n; i++) {
			char buf[16];
			eventfd_t v;

			if (es[i].data.fd == ev) {
				assert(eventfd_read(ev, &v) == 0);
				ended = 1;
			} else if (es[i].data.fd == tm) {
				assert(read(tm, &v, 8) == 8);
				ticks += (int)v;
			} else {
				bytes += (int)read(p[0], buf, sizeof(buf));
			}
		}
		assert(look());
	}
	close(ep);
	return unused;
}

int main(void)
{
	struct itimerspec it = {{0, 2000000}, {0, 2000000}};

	ev = eventfd(0, EFD_NONBLOCK);
	tm = timerfd_create(CLOCK_MONOTONIC, 0);
	assert(pipe(p) == 0 && timerfd_settime(tm, 0, &it, NULL) == 0);
	both(loop, poster, NULL);
	return bytes != 9;
}
