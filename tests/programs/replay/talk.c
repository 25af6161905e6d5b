/*
 * Threads that talk through the kernel in many ways: a server with an event loop, clients on socket
 * pairs, a pipe for jobs to which several threads write, an event counter, non-blocking
 * descriptors, epoll. The order of the messages depends on time, and the output depends on that
 * order.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

#define CLIENTS 4
#define ROUNDS 40

static int pair[CLIENTS][2], job[2], bell, idle[2];
static uint64_t history = 1, tries, sum[CLIENTS];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void fail(const char *what)
{
	perror(what);
	exit(2);
}

static uint64_t happened(uint64_t what)
{
	uint64_t now;

	pthread_mutex_lock(&m);
	now = history = (history ^ what) * 1099511628211u;
	pthread_mutex_unlock(&m);
	return now;
}

/* Answers come in two pieces. */
static void answer(int i, const char *line, size_t n)
{
	char out[80];
	int k = snprintf(out, sizeof(out), "%llu:", (unsigned long long)happened((uint64_t)i << 32 | n));

	if (write(pair[i][1], out, (size_t)k) != k || send(pair[i][1], line, n, 0) != (ssize_t)n)
		fail("answer");
}

static void *serve(void *arg)
{
	int open = CLIENTS;

	while (open) {
		struct pollfd f[CLIENTS + 1] = {{.fd = idle[0], .events = POLLIN}};

		for (int i = 0; i < CLIENTS; i++)
			f[i + 1] = (struct pollfd){.fd = pair[i][1], .events = POLLIN};
		if (poll(f, CLIENTS + 1, 60000) < 1)
			fail("poll");
		if (f[0].revents)
			fail("idle");
		for (int i = 0; i < CLIENTS; i++) {
			char buf[32];
			ssize_t n;

			if (!f[i + 1].revents)
				continue;
			n = read(pair[i][1], buf, sizeof(buf));
			if (n < 0)
				fail("read");
			if (!n) {
				close(pair[i][1]);
				pair[i][1] = -1;
				open--;
			} else {
				answer(i, buf, (size_t)n);
			}
		}
	}
	return arg;
}

static void *client(void *arg)
{
	int i = (int)(intptr_t)arg;
	uint64_t one = 1;

	for (int r = 0; r < ROUNDS; r++) {
		char buf[128];
		ssize_t n, got = 0;

		n = snprintf(buf, sizeof(buf), "%d.%d;", i, r);
		if (write(pair[i][0], buf, (size_t)n) != n)
			fail("ask");
		while (!got || buf[got - 1] != ';') {
			n = i % 2 ? read(pair[i][0], buf + got, 3) : recv(pair[i][0], buf + got, sizeof(buf) - (size_t)got, 0);
			if (n <= 0)
				fail("answered");
			got += n;
		}
		for (ssize_t k = 0; k < got; k++)
			sum[i] = sum[i] * 31 + (unsigned char)buf[k];
		if (write(job[1], &i, sizeof(i)) != sizeof(i))
			fail("job");
		if (i == 0 && write(bell, &one, sizeof(one)) != sizeof(one))
			fail("bell");
	}
	if (i % 2)
		shutdown(pair[i][0], SHUT_WR);
	else
		close(pair[i][0]);
	return NULL;
}

/* Does not block in read: asks again and again, and waits now and then. */
static void *worker(void *arg)
{
	fcntl(job[0], F_SETFL, O_NONBLOCK);
	for (int done = 0; done < CLIENTS * ROUNDS;) {
		int who[3];
		ssize_t n = read(job[0], who, sizeof(who));

		if (n < 0 && errno == EAGAIN) {
			fd_set set;

			tries++;
			FD_ZERO(&set);
			FD_SET(job[0], &set);
			if (select(job[0] + 1, &set, NULL, NULL, NULL) != 1)
				fail("select");
			continue;
		}
		if (n <= 0 || n % (ssize_t)sizeof(int))
			fail("jobs");
		for (ssize_t k = 0; k < n / (ssize_t)sizeof(int); k++, done++)
			happened(1000 + (uint64_t)who[k]);
	}
	return arg;
}

static void *listener(void *arg)
{
	int e = epoll_create1(0);
	struct epoll_event ev = {.events = EPOLLIN};
	uint64_t all = 0, n;

	epoll_ctl(e, EPOLL_CTL_ADD, bell, &ev);
	while (all < ROUNDS) {
		struct epoll_event got[4];

		if (epoll_wait(e, got, 4, -1) != 1 || read(bell, &n, sizeof(n)) != sizeof(n))
			fail("epoll");
		all += n;
		happened(n << 16);
	}
	close(e);
	return arg;
}

int main(void)
{
	pthread_t t[CLIENTS + 3];
	uint64_t all = 0;

	bell = eventfd(0, EFD_SEMAPHORE);
	if (pipe(job) || pipe(idle) || bell < 0)
		fail("pipe");
	for (int i = 0; i < CLIENTS; i++)
		if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair[i]))
			fail("socketpair");
	pthread_create(&t[CLIENTS], NULL, serve, NULL);
	pthread_create(&t[CLIENTS + 1], NULL, worker, NULL);
	pthread_create(&t[CLIENTS + 2], NULL, listener, NULL);
	for (int i = 0; i < CLIENTS; i++)
		pthread_create(&t[i], NULL, client, (void *)(intptr_t)i);
	for (int i = 0; i < CLIENTS + 3; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < CLIENTS; i++)
		all += sum[i];
	printf("%llx %llx %llu\n", (unsigned long long)history, (unsigned long long)all, (unsigned long long)tries);
	return 0;
}
