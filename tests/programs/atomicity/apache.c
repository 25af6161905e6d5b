/*
 * A server's buffered log, as in Apache 2.0.48 (mod_log_config): workers format a line for each
 * request, and copy its parts into a buffer that all share, from where they have seen its end; then
 * they move the end. No lock.
 *
 * Three workers, one request each: a worker reads the end where it begins to copy, and reads and
 * writes it when it moves it. Another's write comes between the first two, and between the last
 * two. Two local pairs, one remote place; with three workers as the local one, and two others each,
 * 12 interleavings of events.
 *
 * expect: atomicity-violation log_buffer.outcnt|buf->outcnt read@at read@add
 * between: write@add
 * harm: output
 * expect: atomicity-violation log_buffer.outcnt|buf->outcnt read@add write@add
 * between: write@add
 * harm: output
 * order: creation
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define LOG_BUFSIZE 512
#define WORKERS 3

struct request {
	const char *host;
	const char *method;
	const char *path;
	int status;
	unsigned bytes;
};

struct buffered_log {
	size_t outcnt;
	char outbuf[LOG_BUFSIZE];
	pthread_mutex_t lock;
};

static struct buffered_log log_buffer = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const struct request requests[WORKERS] = {
	{"10.0.0.1", "GET", "/index.html", 200, 1043},
	{"10.0.0.2", "POST", "/form", 302, 12},
	{"10.0.0.3", "GET", "/favicon.ico", 404, 209},
};

/* The strings of one line go into the buffer. */
static void buffered_log_writer(struct buffered_log *buf, const char **strs, const size_t *strl,
				int nelts, size_t len)
{
	char *s;
	size_t at;

#ifdef FIXED
	pthread_mutex_lock(&buf->lock);
#endif
	at = buf->outcnt; /* @at */
	s = &buf->outbuf[at];
	for (int i = 0; i < nelts; i++) {
		memcpy(s, strs[i], strl[i]);
		s += strl[i];
	}
	buf->outcnt += len; /* @add */
#ifdef FIXED
	pthread_mutex_unlock(&buf->lock);
#endif
}

static int format(const struct request *r, char *line, size_t size)
{
	return snprintf(line, size, " %s %s %d %u\n", r->method, r->path, r->status, r->bytes);
}

static void log_request(const struct request *r)
{
	char line[64];
	const char *strs[2] = {r->host, line};
	size_t strl[2], len = 0;

	format(r, line, sizeof(line));
	for (int i = 0; i < 2; i++) {
		strl[i] = strlen(strs[i]);
		len += strl[i];
	}
	buffered_log_writer(&log_buffer, strs, strl, 2, len);
}

/* Each request has a line of its own, in whatever order. */
static void check_log(const struct buffered_log *buf)
{
	size_t whole = 0;

	for (int i = 0; i < WORKERS; i++) {
		char line[64];
		const char *at = strstr(buf->outbuf, requests[i].host);

		format(&requests[i], line, sizeof(line));
		if (at)
			at += strlen(requests[i].host);
		if (at && !strncmp(at, line, strlen(line)))
			whole += strlen(requests[i].host) + strlen(line);
		else
			printf("%s: lost\n", requests[i].host);
	}
	printf("%zu bytes of %zu are lines\n", whole, buf->outcnt);
}

static void *worker(void *arg)
{
	log_request(arg);
	return NULL;
}

int main(void)
{
	pthread_t t[WORKERS];

	for (int i = 0; i < WORKERS; i++)
		pthread_create(&t[i], NULL, worker, (void *)&requests[i]);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(t[i], NULL);
	check_log(&log_buffer);
	return 0;
}
