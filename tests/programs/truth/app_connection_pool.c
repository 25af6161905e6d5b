/*
 * A pool of connections (socket pairs to a server thread): borrow with a deadline, reopen broken ones, close idle ones
 * by a reaper. Statistics vary, replies do not.
 */
#include "truth.h"
#include <sys/socket.h>
#include <poll.h>

struct conn {
	int fd, used, uses;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t back = PTHREAD_COND_INITIALIZER;
static struct conn pool[2] = {{-1, 0, 0}, {-1, 0, 0}};
static int server_end[16], ends, opened, reaped, waited, quit;
static int notify[2];

static int dial(void)
{
	int sv[2];
	char c = 1;

	assert(socketpair(AF_UNIX, SOCK_STREAM, 0, sv) == 0);
	server_end[ends++] = sv[1];
	opened++;
	assert(write(notify[1], &c, 1) == 1);
	return sv[0];
}

static struct conn *borrow(void)
{
	struct timespec t;
	struct conn *c = NULL;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_sec += 20;
	pthread_mutex_lock(&lock);
	while (!c) {
		for (int i = 0; i < 2; i++)
			if (!pool[i].used)
				c = &pool[i];
		if (!c) {
			waited++;
			assert(pthread_cond_timedwait(&back, &lock, &t) == 0);
		}
	}
	c->used = 1;
	if (c->fd < 0)
		c->fd = dial();
	pthread_mutex_unlock(&lock);
	return c;
}

static void give_back(struct conn *c)
{
	pthread_mutex_lock(&lock);
	c->used = 0;
	c->uses++;
	pthread_cond_signal(&back);
	pthread_mutex_unlock(&lock);
}

static void *server(void *unused)
{
	struct pollfd p[17] = {{.fd = notify[0], .events = POLLIN}};
	int n = 1;

	for (;;) {
		assert(poll(p, (nfds_t)n, -1) > 0);
		if (p[0].revents) {
			char c;

			if (read(notify[0], &c, 1) != 1)
				return unused;
			pthread_mutex_lock(&lock);
			for (; n - 1 < ends; n++)
				p[n] = (struct pollfd){.fd = server_end[n - 1], .events = POLLIN};
			pthread_mutex_unlock(&lock);
		}
		for (int i = 1; i < n; i++) {
			int v;

			if (p[i].fd < 0 || !p[i].revents)
				continue;
			if (recv(p[i].fd, &v, sizeof(v), MSG_WAITALL) == sizeof(v)) {
				v *= 2;
				send(p[i].fd, &v, sizeof(v), MSG_NOSIGNAL);
			} else {
				close(p[i].fd);
				p[i].fd = -1;
			}
			p[i].revents = 0;
		}
	}
}

static void *client(void *arg)
{
	for (int i = 0; i < 2; i++) {
		struct conn *c = borrow();
		int v = (int)(long)arg * 10 + i, r = 0;

		assert(send(c->fd, &v, sizeof(v), 0) == sizeof(v));
		assert(recv(c->fd, &r, sizeof(r), MSG_WAITALL) == sizeof(r) && r == 2 * v);
		give_back(c);
	}
	return NULL;
}

static void *reaper(void *unused)
{
	for (int i = 0; i < 3; i++) {
		usleep(200);
		pthread_mutex_lock(&lock);
		for (int k = 0; k < 2; k++)
			if (!pool[k].used && pool[k].fd >= 0 && pool[k].uses) {
				close(pool[k].fd);
				pool[k].fd = -1;
				reaped++;
			}
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	pthread_t t[5];

	assert(pipe(notify) == 0);
	pthread_create(&t[0], NULL, server, NULL);
	pthread_create(&t[1], NULL, reaper, NULL);
	for (long i = 0; i < 3; i++)
		pthread_create(&t[2 + i], NULL, client, (void *)i);
	for (int i = 4; i > 0; i--)
		pthread_join(t[i], NULL);
	close(notify[1]);
	pthread_join(t[0], NULL);
	assert(pool[0].uses + pool[1].uses == 6 && opened >= 1 && reaped <= opened);
	printf("opened %d, reaped %d, waited %d\n", opened, reaped, waited);
	return quit;
}
