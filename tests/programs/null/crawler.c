/*
 * A crawler: tasks fetch pages of a server over loopback. A task has a worker while it runs; its
 * worker takes itself away at the end. Another thread cancels the tasks that have a worker.
 * The twin looks and cancels in one lock region.
 *
 * order: 0,4
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define TASKS 2
struct worker {
	int pages;
	bool cancelled;
};
struct task {
	pthread_mutex_t lock;
	struct worker *worker;
	const char *url;
	int length;
};
static struct task task[TASKS] = {{PTHREAD_MUTEX_INITIALIZER, NULL, "/index", 0},
				  {PTHREAD_MUTEX_INITIALIZER, NULL, "/news", 0}};
static struct worker workers[TASKS];
static struct sockaddr_in address;
static int listener;

/* Serves one page to each task. */
static void *server(void *arg)
{
	char request[64], page[80];

	for (int i = 0; i < TASKS; i++) {
		int fd = accept(listener, NULL, NULL);
		ssize_t n = read(fd, request, sizeof(request) - 1);

		request[n < 0 ? 0 : n] = 0;
		strcpy(page, "page ");
		strcat(page, request);
		if (write(fd, page, strlen(page)) < 0)
			abort();
		close(fd);
	}
	return arg;
}

static int fetch(const char *url)
{
	char page[128];
	int n = 0;
	ssize_t r;
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0 || write(fd, url, strlen(url)) < 0)
		abort();
	while ((r = read(fd, page, sizeof(page))) > 0)
		n += r;
	close(fd);
	return n;
}

static void *run_task(void *arg)
{
	struct task *t = arg;
	int n = fetch(t->url);

	pthread_mutex_lock(&t->lock);
	if (!t->worker->cancelled) {
		t->length = n;
		t->worker->pages++;
	}
	t->worker = NULL;
	pthread_mutex_unlock(&t->lock);
	return NULL;
}

static bool is_running(struct task *t)
{
	bool running;

	pthread_mutex_lock(&t->lock);
	running = t->worker != NULL;
	pthread_mutex_unlock(&t->lock);
	return running;
}

static void cancel(struct task *t)
{
	if (!is_running(t))
		return;
	pthread_mutex_lock(&t->lock);
#ifdef FIXED
	if (t->worker)
#endif
		t->worker->cancelled = true; /* @use */
	pthread_mutex_unlock(&t->lock);
}

static void *canceller(void *arg)
{
	for (int i = 0; i < TASKS; i++)
		cancel(&task[i]);
	return arg;
}

int main(void)
{
	pthread_t s, c, t[TASKS];
	socklen_t size = sizeof(address);

	address.sin_family = AF_INET;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	listener = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(listener, (struct sockaddr *)&address, sizeof(address)) < 0 || listen(listener, 4) < 0 ||
	    getsockname(listener, (struct sockaddr *)&address, &size) < 0)
		return 77;
	for (int i = 0; i < TASKS; i++)
		task[i].worker = &workers[i];
	pthread_create(&s, NULL, server, NULL);
	for (int i = 0; i < TASKS; i++)
		pthread_create(&t[i], NULL, run_task, &task[i]);
	pthread_create(&c, NULL, canceller, NULL);
	for (int i = 0; i < TASKS; i++)
		pthread_join(t[i], NULL);
	pthread_join(s, NULL);
	pthread_join(c, NULL);
	close(listener);
	return 0;
}
