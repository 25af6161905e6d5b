/*
 * Pumps. An input pump ends at the end of the input, when the program no longer reads, or when
 * stop_fd is readable. An output pump ends in one of three cases: nobody can write any more; the
 * program has ended and no output came for IDLE_MS (a child of it may keep the pipe open for ever);
 * or the reader outside has gone. In the last case it closes its end, so that the program notices.
 */
#include "record/pump.h"
#include "base/assert.h"
#include "base/io.h"
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#define IDLE_MS 200	  /* after the program has ended */
#define BACKGROUND_MS 300 /* between checks whether forerun is in the foreground */

static void keep(struct fr_pump *p, const char *s, size_t n)
{
	size_t done = 0;

	if (p->keep < 0)
		return;
	if (!p->flow->cut && fr_io_write_all(p->keep, s, n, &done) < 0)
		p->flow->cut = true; /* disk full: the stream itself continues */
	fr_assert(done <= n);
	p->flow->bytes += done;
}

/* Waits until fd is ready (returns 1), or until `other` is readable or time is up (0). */
static int wait_for(int fd, short events, int other, int timeout)
{
	struct pollfd f[2] = {{.fd = fd, .events = events}, {.fd = other, .events = POLLIN}};
	int r;

	do
		r = poll(f, 2, timeout);
	while (r < 0 && errno == EINTR);
	return r > 0 && f[0].revents;
}

/* Writes all n bytes. Returns false if the reader has gone, or if `stop` becomes readable while a
   non-blocking fd is full. */
static bool forward(int fd, const char *s, size_t n, int stop)
{
	while (n) {
		ssize_t k = write(fd, s, n);

		if (k < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
			if (!wait_for(fd, POLLOUT, stop, -1))
				return false;
			continue;
		}
		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0)
			return false;
		s += k;
		n -= (size_t)k;
	}
	return true;
}

static void make_raw(struct fr_streams *s)
{
	struct termios raw = s->saved;

	if (s->flows->raw)
		return;
	fr_assert(s->terminal >= 0);
	cfmakeraw(&raw);
	s->flows->raw = tcsetattr(s->terminal, TCSADRAIN, &raw) == 0;
}

void fr_pump_prepare(struct fr_pump *p)
{
	if (p->input && p->all->session && tcgetpgrp(p->from) == getpgrp())
		make_raw(p->all);
}

/* Waits until forerun is in the foreground: reading the terminal in the background would stop it.
   Returns false if stop_fd becomes readable. */
static bool wait_foreground(struct fr_pump *p)
{
	struct fr_streams *s = p->all;
	struct pollfd f = {.fd = s->stop_fd, .events = POLLIN};

	while (tcgetpgrp(p->from) != getpgrp())
		if (poll(&f, 1, BACKGROUND_MS) > 0)
			return false;
	make_raw(s);
	return true;
}

/* Waits for input. Returns false if stop_fd is readable, or nobody reads the program's pipe. */
static bool wait_input(struct fr_pump *p, bool tty)
{
	struct pollfd f[3] = {{.fd = p->from, .events = POLLIN},
			      {.fd = p->all->stop_fd, .events = POLLIN},
			      {.fd = p->close_to ? p->to : -1}};

	for (;;) {
		int r;

		if (tty && !wait_foreground(p))
			return false;
		r = poll(f, 3, tty ? BACKGROUND_MS : -1);
		if (r > 0 && f[2].revents)
			return false;
		if (r > 0)
			return f[0].revents;
	}
}

static void pump_in(struct fr_pump *p)
{
	bool tty = p->all->session;
	char buf[65536];

	while (wait_input(p, tty)) {
		ssize_t n;

		n = read(p->from, buf, sizeof(buf));
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n <= 0) {
			if (tty && p->all->saved.c_cc[VEOF])
				forward(p->to, (char *)&p->all->saved.c_cc[VEOF], 1,
					p->all->stop_fd);
			break;
		}
		keep(p, buf, (size_t)n);
		if (!forward(p->to, buf, (size_t)n, p->all->stop_fd))
			break;
	}
}

static void pump_out(struct fr_pump *p)
{
	bool gone = false;
	char buf[65536];

	for (;;) {
		ssize_t n;

		if (!wait_for(p->from, POLLIN, gone ? -1 : p->all->gone_fd, gone ? IDLE_MS : -1)) {
			if (gone)
				break;
			gone = true;
			continue;
		}
		n = read(p->from, buf, sizeof(buf));
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n <= 0) /* EIO: the last process has closed the pseudo-terminal */
			break;
		keep(p, buf, (size_t)n);
		if (!forward(p->to, buf, (size_t)n, -1))
			break;
	}
}

static void ended(struct fr_pump *p)
{
	uint64_t one = 1;

	fr_assert(!atomic_load(&p->flow->ended));
	atomic_store(&p->flow->ended, true);
	if (write(p->all->ended_fd, &one, sizeof(one)) < 0)
		fr_assert(false); /* cannot happen: the counter has 64 bits */
}

static void *run(void *arg)
{
	struct fr_pump *p = arg;

	if (p->input)
		pump_in(p);
	else
		pump_out(p);
	fr_pump_close(p);
	ended(p);
	return NULL;
}

void fr_pump_start(struct fr_pump *p)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, p)) {
		p->flow->cut = true;
		fr_pump_close(p); /* the program gets an error instead of blocking for ever */
		ended(p);
	} else {
		pthread_detach(thread);
	}
}

void fr_pump_close(struct fr_pump *p)
{
	if (!p->input)
		fr_closep(&p->from);
	if (p->close_to)
		fr_closep(&p->to);
	fr_closep(&p->keep);
}

int fr_pump_copy(int from, int to, uint64_t *ret_bytes)
{
	off_t at = lseek(from, 0, SEEK_CUR);
	char buf[65536];
	uint64_t n = 0;
	int r;

	if (at < 0)
		return -errno;
	for (;;) {
		ssize_t k = fr_io_pread(from, buf, sizeof(buf), (uint64_t)at + n);

		if (k <= 0) {
			*ret_bytes = n;
			return (int)k;
		}
		r = fr_io_write_all(to, buf, (size_t)k, NULL);
		if (r < 0)
			return r;
		n += (uint64_t)k;
	}
}
