/* Two eventfds in edge-triggered mode wake a dispatcher, which empties the queue of each. */
#include "truth.h"
#include <sys/epoll.h>
#include <sys/eventfd.h>
static int ep, fd[2];
static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int queue[2][4], n[2];
static void *sender(void *arg)
{
	int me = (int)(intptr_t)arg;
	uint64_t one = 1;

	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&m[me]);
		queue[me][n[me]++] = i + 1;
		pthread_mutex_unlock(&m[me]);
		assert(write(fd[me], &one, 8) == 8);
	}
	return NULL;
}
int main(void)
{
	pthread_t t[2];
	int got = 0, s = 0;

	ep = epoll_create1(EPOLL_CLOEXEC);
	for (int i = 0; i < 2; i++) {
		struct epoll_event e = {EPOLLIN | EPOLLET, {.u32 = (uint32_t)i}};

		fd[i] = eventfd(0, EFD_NONBLOCK);
		assert(!epoll_ctl(ep, EPOLL_CTL_ADD, fd[i], &e));
		pthread_create(&t[i], NULL, sender, (void *)(intptr_t)i);
	}
	while (got < 6) {
		struct epoll_event e[2];
		int k = epoll_wait(ep, e, 2, -1);

		for (int i = 0; i < k; i++) {
			int who = (int)e[i].data.u32;
			uint64_t x;

			while (read(fd[who], &x, 8) == 8)
				;
			pthread_mutex_lock(&m[who]);
			while (n[who]) {
				s += queue[who][--n[who]];
				got++;
			}
			pthread_mutex_unlock(&m[who]);
		}
	}
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(s == 12);
	return 0;
}
