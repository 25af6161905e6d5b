/*
 * A login server and its clients over loopback. Each connection has a thread. An administrator
 * closes a connection and sets its writer to null. The thread of the connection answers the next
 * command without a check. The twin checks that the connection still has a writer.
 *
 * order: creation
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct writer {
	int fd, lines;
};
struct connection {
	pthread_mutex_t lock;
	struct writer *writer;
	int fd, logged_in;
};
static struct connection connection[2] = {{PTHREAD_MUTEX_INITIALIZER}, {PTHREAD_MUTEX_INITIALIZER}};
static struct sockaddr_in address;
static int listener;

static int get_line(int fd, char *line, int size)
{
	int n = 0;

	while (n < size - 1 && read(fd, line + n, 1) == 1)
		if (line[n++] == '\n')
			break;
	line[n] = 0;
	return n;
}

static void answer(struct connection *c, const char *text)
{
	pthread_mutex_lock(&c->lock);
#ifdef FIXED
	if (c->writer)
#endif
	{
		c->writer->lines++; /* @use */
		if (write(c->writer->fd, text, strlen(text)) < 0)
			abort();
	}
	pthread_mutex_unlock(&c->lock);
}

static void *serve(void *arg)
{
	struct connection *c = arg;
	char line[64];
	int fd = c->fd;

	while (get_line(fd, line, sizeof(line))) {
		if (!strncmp(line, "USER ", 5)) {
			c->logged_in = 1;
			answer(c, "230 logged in\n");
		} else if (!strncmp(line, "QUIT", 4)) {
			answer(c, c->logged_in ? "221 bye\n" : "221 who are you?\n");
			break;
		}
	}
	shutdown(fd, SHUT_RDWR);
	return NULL;
}

static void *client(void *arg)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	char line[64];

	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0)
		abort();
	if (write(fd, "USER anna\n", 10) == 10)
		get_line(fd, line, sizeof(line));
	if (write(fd, "QUIT\n", 5) == 5)
		get_line(fd, line, sizeof(line));
	close(fd);
	return arg;
}

static void *administrator(void *arg)
{
	struct connection *c = arg;
	struct writer *w;

	pthread_mutex_lock(&c->lock);
	w = c->writer;
	c->writer = NULL;
	pthread_mutex_unlock(&c->lock);
	shutdown(w->fd, SHUT_RDWR);
	free(w);
	return NULL;
}

int main(void)
{
	pthread_t t[2], u[2], admin;
	socklen_t size = sizeof(address);
	int fd[2];

	address.sin_family = AF_INET;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	listener = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(listener, (struct sockaddr *)&address, sizeof(address)) < 0 || listen(listener, 4) < 0 ||
	    getsockname(listener, (struct sockaddr *)&address, &size) < 0)
		return 77;
	for (int i = 0; i < 2; i++) {
		pthread_create(&u[i], NULL, client, NULL);
		fd[i] = accept(listener, NULL, NULL);
		connection[i].writer = calloc(1, sizeof(struct writer));
		connection[i].writer->fd = connection[i].fd = fd[i];
		pthread_create(&t[i], NULL, serve, &connection[i]);
	}
	pthread_create(&admin, NULL, administrator, &connection[1]);
	for (int i = 0; i < 2; i++) {
		pthread_join(u[i], NULL);
		pthread_join(t[i], NULL);
	}
	pthread_join(admin, NULL);
	for (int i = 0; i < 2; i++) {
		free(connection[i].writer);
		close(fd[i]);
	}
	close(listener);
	return 0;
}
