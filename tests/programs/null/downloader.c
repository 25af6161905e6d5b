/*
 * A site downloader: two threads take addresses from a queue, fetch the pages from a server over
 * loopback, and add the links that they find. Each asks for the length of the queue first, and
 * takes the next address in another lock region. The twin ends when there is no next address.
 *
 * order: 0+,0+,0+,3,1,3,0,4
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct url {
	struct url *next;
	char path[32];
};
struct queue {
	pthread_mutex_t lock;
	struct url *head;
	int n, bytes;
};
static struct queue queue = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void add(const char *path)
{
	struct url *u = calloc(1, sizeof(*u));

	strcpy(u->path, path);
	pthread_mutex_lock(&queue.lock);
	u->next = queue.head;
	queue.head = u;
	queue.n++;
	pthread_mutex_unlock(&queue.lock);
}

static int length(void)
{
	int n;

	pthread_mutex_lock(&queue.lock);
	n = queue.n;
	pthread_mutex_unlock(&queue.lock);
	return n;
}

static struct url *next(void)
{
	struct url *u;

	pthread_mutex_lock(&queue.lock);
	u = queue.head;
#ifdef FIXED
	if (!u) {
		pthread_mutex_unlock(&queue.lock);
		return NULL;
	}
#endif
	queue.head = u->next; /* @use */
	queue.n--;
	pthread_mutex_unlock(&queue.lock);
	return u;
}

/* Serves one connection. A page has one character for each link. */
static void *server(void *arg)
{
	char path[32];
	ssize_t n;

	while ((n = read(*(int *)arg, path, sizeof(path) - 1)) > 0) {
		path[n] = 0;
		if (write(*(int *)arg, !strcmp(path, "/index") ? "ab." : ".", !strcmp(path, "/index") ? 3 : 1) < 0)
			abort();
	}
	return NULL;
}

static int fetch(int fd, const char *path, char *page, int size)
{
	int n = 0;

	if (write(fd, path, strlen(path)) < 0)
		abort();
	do {
		ssize_t r = read(fd, page + n, size - n);

		if (r <= 0)
			abort();
		n += r;
	} while (page[n - 1] != '.');
	return n;
}

static void *download(void *arg)
{
	char page[8], path[] = "/?";

	while (length() > 0) {
		struct url *u = next();
		int n;

		if (!u)
			break;
		n = fetch(*(int *)arg, u->path, page, sizeof(page));
		for (int i = 0; i < n - 1; i++) {
			path[1] = page[i];
			add(path);
		}
		pthread_mutex_lock(&queue.lock);
		queue.bytes += n;
		pthread_mutex_unlock(&queue.lock);
		free(u);
	}
	return NULL;
}

/* Connects two sockets over loopback. */
static int connect_pair(int *ret)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof(address);
	int listener = socket(AF_INET, SOCK_STREAM, 0);

	ret[0] = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(listener, (struct sockaddr *)&address, size) < 0 || listen(listener, 1) < 0 ||
	    getsockname(listener, (struct sockaddr *)&address, &size) < 0 ||
	    connect(ret[0], (struct sockaddr *)&address, size) < 0)
		return -1;
	ret[1] = accept(listener, NULL, NULL);
	close(listener);
	return ret[1];
}

int main(void)
{
	static int fd[2][2];
	pthread_t s[2], t[2];

	for (int i = 0; i < 2; i++)
		if (connect_pair(fd[i]) < 0)
			return 77;
	add("/index");
	for (int i = 0; i < 2; i++)
		pthread_create(&s[i], NULL, server, &fd[i][1]);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, download, &fd[i][0]);
	for (int i = 0; i < 2; i++) {
		pthread_join(t[i], NULL);
		shutdown(fd[i][0], SHUT_RDWR);
		pthread_join(s[i], NULL);
		close(fd[i][0]);
		close(fd[i][1]);
	}
	return 0;
}
