/*
 * Clients of servers outside of the program: MODE ADDRESS. Two threads ask a server each and add what it answers. Bug:
 * they add without a lock.
 *
 *	stream		TCP or a Unix socket, blocking
 *	wait		the same, but the sockets do not block, and poll waits for them
 *	datagram	UDP or a Unix socket for datagrams; each thread has a socket of its own
 *	serve		the other way: datagrams from outside come to one socket, and threads answer them
 *	fifo		reads the FIFO ADDRESS, and its threads share the lines
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define THREADS 2
#define QUESTIONS 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *mode, *name;
static int sum, shared, port[THREADS];

static void add(int n)
{
#ifdef FIXED
	pthread_mutex_lock(&lock);
#endif
	sum += n; /* @add */
#ifdef FIXED
	pthread_mutex_unlock(&lock);
#endif
}

static socklen_t address(struct sockaddr_storage *to)
{
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(name))};
	struct sockaddr_un un = {.sun_family = AF_UNIX};

	if (*name >= '0' && *name <= '9') {
		in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		memcpy(to, &in, sizeof(in));
		return sizeof(in);
	}
	strncpy(un.sun_path, name, sizeof(un.sun_path) - 1);
	memcpy(to, &un, sizeof(un));
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name));
}

static void wait_for(int fd, short events)
{
	struct pollfd p = {.fd = fd, .events = events};

	if (!strcmp(mode, "wait") && poll(&p, 1, -1) < 0)
		exit(3);
}

static int socket_to_server(int type)
{
	struct sockaddr_storage to, own;
	socklen_t n = address(&to), have = sizeof(own);
	int fd = socket(to.ss_family, type | (strcmp(mode, "wait") ? 0 : SOCK_NONBLOCK), 0);

	if (connect(fd, (struct sockaddr *)&to, n) < 0 && errno != EINPROGRESS) {
		perror(name);
		exit(2);
	}
	wait_for(fd, POLLOUT);
	if (to.ss_family == AF_INET && getsockname(fd, (struct sockaddr *)&own, &have) == 0)
		port[shared++ % THREADS] = ntohs(((struct sockaddr_in *)&own)->sin_port);
	return fd;
}

static void *ask(void *arg)
{
	int fd = *(int *)arg;
	char line[100];
	ssize_t n;

	for (int i = 0; i < QUESTIONS; i++) {
		int k = snprintf(line, sizeof(line), "question %d\n", i);

		if (send(fd, line, (size_t)k, 0) != k)
			exit(4);
		wait_for(fd, POLLIN);
		n = recv(fd, line, sizeof(line) - 1, 0);
		if (n <= 0)
			exit(5);
		line[n] = 0;
		add(atoi(line));
	}
	close(fd);
	return NULL;
}

static void *answer(void *arg)
{
	int fd = *(int *)arg;
	char line[100];

	for (int i = 0; i < QUESTIONS; i++) {
		struct sockaddr_storage from;
		socklen_t len = sizeof(from);
		ssize_t n = recvfrom(fd, line, sizeof(line) - 1, 0, (struct sockaddr *)&from, &len);

		if (n <= 0)
			exit(5);
		line[n] = 0;
		add(atoi(line));
		if (sendto(fd, line, (size_t)n, 0, (struct sockaddr *)&from, len) != n)
			exit(4);
	}
	return NULL;
}

static void *read_lines(void *arg)
{
	int fd = *(int *)arg;
	char c;

	for (int i = 0; i < QUESTIONS; i++)
		if (read(fd, &c, 1) == 1)
			add(c - '0');
	return NULL;
}

int main(int argc, char **argv)
{
	void *(*work)(void *) = ask;
	pthread_t thread[THREADS];
	struct sockaddr_storage own;
	socklen_t n;
	int fd[THREADS];

	if (argc != 3)
		return 2;
	mode = argv[1];
	name = argv[2];
	for (int i = 0; i < THREADS; i++)
		if (!strcmp(mode, "fifo"))
			fd[i] = i ? fd[0] : open(name, O_RDONLY);
		else if (strcmp(mode, "serve") != 0)
			fd[i] = socket_to_server(strcmp(mode, "datagram") ? SOCK_STREAM : SOCK_DGRAM);
	if (!strcmp(mode, "serve")) {
		n = address(&own);
		fd[0] = fd[1] = socket(own.ss_family, SOCK_DGRAM, 0);
		if (bind(fd[0], (struct sockaddr *)&own, n) < 0)
			return 2;
		work = answer;
	} else if (!strcmp(mode, "fifo")) {
		work = read_lines;
	}
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, work, &fd[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	pthread_mutex_lock(&lock);
	printf("sum %d, ports %d %d\n", sum, port[0], port[1]);
	pthread_mutex_unlock(&lock);
	return 0;
}
