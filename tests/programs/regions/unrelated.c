/*
 * A thread publishes a size in two steps, each with the lock, and uses a kernel object in between.
 * Another thread checks the size. It uses an object of the same sort, which has nothing to do with
 * the first one. The argument names the sort.
 *
 * With FIXED the thread publishes once. With the argument `handed` the two threads take turns by
 * messages, so that the check never sees the first size.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIMIT 10

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t size;
static const char *sort;
static int file[2], pipes[2][2], sockets[2][2], counters[2];
static FILE *logs[2];

static void need(int ok)
{
	if (!ok)
		abort();
}

static int is(const char *s)
{
	return !strcmp(sort, s);
}

/* Each thread has its own objects, or writes to its own place of a file. */
static void use_object(int me)
{
	char c = 'x', path[32];
	eventfd_t count;
	struct stat st;
	int fd;

	snprintf(path, sizeof(path), "object.%d", me);
	if (is("pwrite"))
		need(pwrite(file[0], &c, 1, me) == 1);
	if (is("write"))
		need(write(file[0], &c, 1) == 1);
	if (is("log"))
		need(fprintf(logs[0], "%d\n", me) > 0 && fflush(logs[0]) == 0);
	if (is("stderr"))
		need(fprintf(stderr, "%d\n", me) > 0);
	if (is("own-file"))
		need(pwrite(file[me], &c, 1, 0) == 1 && pread(file[me], &c, 1, 0) == 1);
	if (is("own-pipe"))
		need(write(pipes[me][1], &c, 1) == 1 && read(pipes[me][0], &c, 1) == 1);
	if (is("own-socket"))
		need(write(sockets[me][1], &c, 1) == 1 && read(sockets[me][0], &c, 1) == 1);
	if (is("own-eventfd"))
		need(!eventfd_write(counters[me], 1) && !eventfd_read(counters[me], &count));
	if (is("stat"))
		need(stat(".", &st) == 0);
	if (is("open")) {
		fd = open(path, O_CREAT | O_RDWR, 0600);
		need(fd >= 0 && close(fd) == 0 && unlink(path) == 0);
	}
}

static void *publisher(void *arg)
{
	char c = 'x';

#ifndef FIXED
	pthread_mutex_lock(&lock);
	size = LIMIT + 1; /* with the header */
	pthread_mutex_unlock(&lock);
#endif
	use_object(0);
	pthread_mutex_lock(&lock);
	size = LIMIT;
	pthread_mutex_unlock(&lock);
	if (is("handed"))
		need(write(pipes[0][1], &c, 1) == 1);
	return arg;
}

static void *checker(void *arg)
{
	char c;

	if (is("handed"))
		need(read(pipes[0][0], &c, 1) == 1);
	use_object(1);
	pthread_mutex_lock(&lock);
	assert(size <= LIMIT);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t a, b;

	sort = argc > 1 ? argv[1] : "";
	for (int i = 0; i < 2; i++) {
		file[i] = open(i ? "file.1" : "file.0", O_CREAT | O_TRUNC | O_RDWR, 0600);
		logs[i] = fopen(i ? "log.1" : "log.0", "w");
		counters[i] = eventfd(0, 0);
		need(counters[i] >= 0 && file[i] >= 0 && logs[i] && !pipe(pipes[i]) &&
		     !socketpair(AF_UNIX, SOCK_STREAM, 0, sockets[i]));
	}
	pthread_create(&a, NULL, publisher, NULL);
	pthread_create(&b, NULL, checker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	need(pread(file[0], &(char){0}, 1, 0) >= 0); /* observed, but after all writers ended */
	return 0;
}
