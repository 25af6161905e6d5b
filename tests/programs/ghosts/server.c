/*
 * A server of clients outside of the program: MODE ADDRESS CLIENTS. ADDRESS: a port, or the path of a Unix socket; with
 * @ first, a name that is no file. Each request is a line; the answer is the same line. It ends after CLIENTS clients,
 * or with CLIENTS = 0 at SIGTERM. Bug: threads count the requests without a lock.
 *
 *	threads		a thread for each client reads and writes
 *	stdio		the same, with fgets and fputs
 *	poll, select, epoll	main accepts and gives clients to two threads, each with a loop of its own
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define LOOPS 2
#define MOST 16

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *mode;
static int served, clients;
static volatile sig_atomic_t stop;

static void count(void)
{
#ifdef FIXED
	pthread_mutex_lock(&lock);
#endif
	served++; /* @count */
#ifdef FIXED
	pthread_mutex_unlock(&lock);
#endif
}

/* ---- a thread for each client ---- */

static void *serve(void *arg)
{
	int fd = (int)(long)arg;
	char line[200];
	ssize_t n;

	while ((n = read(fd, line, sizeof(line))) > 0) {
		count();
		if (write(fd, line, (size_t)n) != n)
			break;
	}
	close(fd);
	return NULL;
}

static void *serve_lines(void *arg)
{
	FILE *f = fdopen((int)(long)arg, "r+");
	char line[200];

	while (f && fgets(line, sizeof(line), f)) {
		count();
		fputs(line, f);
		fflush(f);
	}
	if (f)
		fclose(f);
	return NULL;
}

/* ---- loops ---- */

static struct loop {
	pthread_t thread;
	int pipe[2], epoll;
	int fd[MOST], n; /* its clients; fd[0]: its end of the pipe */
} loops[LOOPS];

static void add(struct loop *l, int fd)
{
	struct epoll_event e = {.events = EPOLLIN, .data.fd = fd};

	l->fd[l->n++] = fd;
	if (!strcmp(mode, "epoll"))
		epoll_ctl(l->epoll, EPOLL_CTL_ADD, fd, &e);
}

static void drop(struct loop *l, int fd)
{
	for (int i = 0; i < l->n; i++)
		if (l->fd[i] == fd)
			l->fd[i] = l->fd[--l->n];
	close(fd);
}

/* Fills `ready` with the descriptors that are ready; returns their number. */
static int wait_for(struct loop *l, int ready[MOST])
{
	struct pollfd p[MOST];
	struct epoll_event e[MOST];
	fd_set set;
	int k = 0, n;

	if (!strcmp(mode, "epoll")) {
		n = epoll_wait(l->epoll, e, MOST, -1);
		for (int i = 0; i < n; i++)
			ready[k++] = e[i].data.fd;
		return k;
	}
	FD_ZERO(&set);
	for (int i = 0; i < l->n; i++) {
		p[i] = (struct pollfd){.fd = l->fd[i], .events = POLLIN};
		FD_SET(l->fd[i], &set);
	}
	n = !strcmp(mode, "poll") ? poll(p, (nfds_t)l->n, -1) : select(64, &set, NULL, NULL, NULL);
	for (int i = 0; n > 0 && i < l->n; i++)
		if (!strcmp(mode, "poll") ? p[i].revents != 0 : FD_ISSET(l->fd[i], &set))
			ready[k++] = l->fd[i];
	return k;
}

/* Returns false at the end of all clients. */
static int handle(struct loop *l, int fd)
{
	char line[200];
	int client;
	ssize_t n;

	if (fd == l->fd[0]) {
		n = read(fd, &client, sizeof(client));
		if (n == sizeof(client) && client >= 0)
			add(l, client);
		return n == sizeof(client) && client >= 0;
	}
	n = recv(fd, line, sizeof(line), MSG_DONTWAIT);
	if (n < 0 && errno == EAGAIN)
		return 1;
	if (n <= 0) {
		drop(l, fd);
		return 1;
	}
	count();
	return send(fd, line, (size_t)n, MSG_NOSIGNAL) == n;
}

static void *run(void *arg)
{
	struct loop *l = arg;
	int ready[MOST], last = 0;

	while (!last || l->n > 1) {
		int n = wait_for(l, ready);

		for (int i = 0; i < n; i++)
			if (!handle(l, ready[i]))
				last = 1;
	}
	return NULL;
}

/* ---- main ---- */

static void on_term(int sig)
{
	(void)sig;
	stop = 1;
}

static int listen_at(const char *name)
{
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(name))};
	struct sockaddr_un un = {.sun_family = AF_UNIX};
	int internet = *name >= '0' && *name <= '9', fd, on = 1, r;

	in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	strncpy(un.sun_path, name, sizeof(un.sun_path) - 1);
	if (*name == '@')
		un.sun_path[0] = 0;
	fd = socket(internet ? AF_INET : AF_UNIX, SOCK_STREAM, 0);
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	r = internet ? bind(fd, (struct sockaddr *)&in, sizeof(in))
		     : bind(fd, (struct sockaddr *)&un,
			    (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name)));
	if (r < 0 || listen(fd, 8) < 0) {
		perror(name);
		exit(2);
	}
	return fd;
}

int main(int argc, char **argv)
{
	struct sigaction term = {.sa_handler = on_term};
	pthread_t thread[MOST];
	int listener, n = 0, loop, none = -1;

	if (argc < 4)
		return 2;
	mode = argv[1];
	clients = atoi(argv[3]);
	loop = strcmp(mode, "threads") != 0 && strcmp(mode, "stdio") != 0;
	sigaction(SIGTERM, &term, NULL);
	listener = listen_at(argv[2]);
	for (int i = 0; loop && i < LOOPS; i++) {
		loops[i].epoll = epoll_create1(0);
		if (pipe(loops[i].pipe) < 0)
			return 2;
		add(&loops[i], loops[i].pipe[0]);
		pthread_create(&loops[i].thread, NULL, run, &loops[i]);
	}
	while (!stop && (!clients || n < clients) && n < MOST) {
		int fd = accept(listener, NULL, NULL);

		if (fd < 0)
			continue;
		if (loop) {
			if (write(loops[n % LOOPS].pipe[1], &fd, sizeof(fd)) != sizeof(fd))
				return 2;
		} else {
			pthread_create(&thread[n], NULL, strcmp(mode, "stdio") ? serve : serve_lines,
				       (void *)(long)fd);
		}
		n++;
	}
	for (int i = 0; loop && i < LOOPS; i++) {
		if (write(loops[i].pipe[1], &none, sizeof(none)) != sizeof(none))
			return 2;
		pthread_join(loops[i].thread, NULL);
	}
	for (int i = 0; !loop && i < n; i++)
		pthread_join(thread[i], NULL);
	pthread_mutex_lock(&lock);
	printf("served %d\n", served);
	pthread_mutex_unlock(&lock);
	return 0;
}
