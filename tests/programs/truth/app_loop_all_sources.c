/*
 * An event loop: epoll over a timerfd, an eventfd, a signalfd for SIGCHLD and a child's pipe, with a worker that posts
 * results. It ends when the child, the timer and all results are in.
 */
#include "truth.h"
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int results[8], nresults, wake;

static void *worker(void *arg)
{
	for (int i = 0; i < 4; i++) {
		uint64_t one = 1;

		pthread_mutex_lock(&lock);
		results[nresults++] = i * 10 + (int)(long)arg;
		pthread_mutex_unlock(&lock);
		assert(write(wake, &one, 8) == 8);
	}
	return NULL;
}

int main(void)
{
	struct epoll_event e[4];
	struct itimerspec in = {{0, 0}, {0, 20000000}};
	int p[2], ep, tfd, sfd, got = 0, ticks = 0, child = 0, text = 0;
	pthread_t t[2];
	sigset_t set;
	pid_t pid;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	assert(pipe(p) == 0);
	ep = epoll_create1(0);
	tfd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
	sfd = signalfd(-1, &set, SFD_NONBLOCK);
	wake = eventfd(0, EFD_NONBLOCK);
	int fds[4] = {tfd, sfd, wake, p[0]};
	for (int i = 0; i < 4; i++) {
		struct epoll_event ev = {.events = EPOLLIN, .data.u32 = (unsigned)i};

		assert(epoll_ctl(ep, EPOLL_CTL_ADD, fds[i], &ev) == 0);
	}
	pid = fork();
	if (!pid) {
		usleep(5000);
		dprintf(p[1], "child %d", 7);
		_exit(3);
	}
	close(p[1]);
	timerfd_settime(tfd, 0, &in, NULL);
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	while (got < 8 || !ticks || !child || text < 7) {
		int n = epoll_wait(ep, e, 4, 10000);

		assert(n > 0);
		for (int i = 0; i < n; i++) {
			struct signalfd_siginfo si;
			uint64_t v;
			char buf[32];
			int st;
			ssize_t r;

			switch (e[i].data.u32) {
			case 0:
				if (read(tfd, &v, 8) == 8)
					ticks += (int)v;
				break;
			case 1:
				while (read(sfd, &si, sizeof(si)) == sizeof(si)) {
					assert((pid_t)si.ssi_pid == pid);
					assert(waitpid(pid, &st, 0) == pid && WEXITSTATUS(st) == 3);
					child = 1;
				}
				break;
			case 2:
				if (read(wake, &v, 8) == 8) {
					pthread_mutex_lock(&lock);
					got = nresults;
					pthread_mutex_unlock(&lock);
				}
				break;
			case 3:
				r = read(p[0], buf, sizeof(buf));
				if (r > 0)
					text += (int)r;
				else
					epoll_ctl(ep, EPOLL_CTL_DEL, p[0], NULL);
				break;
			}
		}
	}
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	int s = 0;
	for (int i = 0; i < 8; i++)
		s += results[i];
	printf("sum %d, text %d\n", s, text);
	return s != 124;
}
