/*
 * A downloader, as Aget. One thread downloads each part of a file. Ctrl-c wakes another thread,
 * which saves the size of each part for the next download. A part's count first includes the header
 * from the server. After the thread has parsed the header, the count excludes it. The thread holds
 * the lock for each of the two updates. If the count is saved between them, it is larger than the
 * data in the file, and the next download leaves a hole.
 *
 * The read of the signal thread comes between the two writes of a part's count, for either of the
 * two parts. One bug; one interleaving for each part.
 *
 * expect: atomicity-violation part[].got|p->got write@all write@body
 * between: read@save
 * harm: assert aget.c:@hole: Assertion `saved[i] <= part[i].size' failed
 * order: 0+,0+,0+,0+,1,2,3,2,3,4,2,4,0
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PARTS 2
#define PART 24

struct part {
	int client, server; /* the two ends of its connection */
	off_t offset;
	size_t size;
	size_t got;
};

static const char content[] = "All that is gold does not glitter, not all wander";
static struct part part[PARTS];
static size_t saved[PARTS];
static pthread_mutex_t got_lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t interrupted;
static FILE *out;

/* Answers a request for each part. */
static void *http_server(void *arg)
{
	for (int i = 0; i < PARTS; i++) {
		char request[64], reply[128];
		long from = 0;
		ssize_t n = read(part[i].server, request, sizeof(request) - 1);
		int len;

		request[n > 0 ? n : 0] = 0;
		if (sscanf(request, "GET /file %ld", &from) != 1)
			abort();
		len = snprintf(reply, sizeof(reply), "206 Partial\nContent-Length: %d\n\n%.*s",
			       PART, PART, content + from);
		if (write(part[i].server, reply, (size_t)len) != len)
			abort();
		close(part[i].server);
	}
	return arg;
}

static void *http_get(void *arg)
{
	struct part *p = arg;
	char buffer[256], *body;
	ssize_t n;
	int len;

	len = snprintf(buffer, sizeof(buffer), "GET /file %ld\n", (long)p->offset);
	if (write(p->client, buffer, (size_t)len) != len)
		abort();
	n = read(p->client, buffer, sizeof(buffer) - 1);
	if (n < 0)
		abort();
	buffer[n] = 0;
#ifndef FIXED
	pthread_mutex_lock(&got_lock);
	p->got = (size_t)n; /* @all */
	pthread_mutex_unlock(&got_lock);
#endif
	body = strstr(buffer, "\n\n");
	if (!body)
		abort();
	body += 2;
	n -= body - buffer;
	if (pwrite(fileno(out), body, (size_t)n, p->offset) != n)
		abort();
	pthread_mutex_lock(&got_lock);
	p->got = (size_t)n; /* @body */
	pthread_mutex_unlock(&got_lock);
	close(p->client);
	return NULL;
}

/* A resumed download asks only for the missing bytes. */
static void save_log(void)
{
	for (int i = 0; i < PARTS; i++) {
		pthread_mutex_lock(&got_lock);
		saved[i] = part[i].got; /* @save */
		pthread_mutex_unlock(&got_lock);
	}
}

static void on_interrupt(int sig)
{
	(void)sig;
	sem_post(&interrupted);
}

static void *signal_waiter(void *arg)
{
	while (sem_wait(&interrupted) < 0)
		;
	save_log();
	return arg;
}

int main(void)
{
	pthread_t server, waiter, t[PARTS];
	char text[sizeof(content)] = "";
	sigset_t set;

	out = tmpfile();
	if (!out)
		abort();
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	signal(SIGINT, on_interrupt);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	sem_init(&interrupted, 0, 0);
	for (int i = 0; i < PARTS; i++) {
		int s[2];

		if (socketpair(AF_UNIX, SOCK_STREAM, 0, s) < 0)
			abort();
		part[i] = (struct part){s[0], s[1], i * PART, PART, 0};
	}
	pthread_create(&waiter, NULL, signal_waiter, NULL);
	pthread_create(&server, NULL, http_server, NULL);
	for (int i = 0; i < PARTS; i++)
		pthread_create(&t[i], NULL, http_get, &part[i]);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL); /* the others do not get any */
	kill(getpid(), SIGINT); /* ctrl-c */
	pthread_join(waiter, NULL);
	pthread_join(server, NULL);
	for (int i = 0; i < PARTS; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < PARTS; i++)
		assert(saved[i] <= part[i].size); /* @hole */
	if (pread(fileno(out), text, PARTS * PART, 0) != PARTS * PART)
		abort();
	printf("%s: %zu and %zu bytes\n", text, part[0].got, part[1].got);
	return 0;
}
