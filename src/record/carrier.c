/*
 * The carrier. It is in the recorder's process group, so that the terminal treats both alike, and
 * blocks the same signals. A socket pair tells each of them when the other has died. The outcome
 * of each pump is in shared memory (struct fr_flows).
 *
 * The carrier ends when all pumps have ended. If the recorder has died, nobody tells an input pump
 * to stop. A pump that feeds a pipe notices that nobody reads the pipe any more. A pump that feeds
 * a pseudo-terminal is ignored once the last output pump, which reads the same pseudo-terminal, has
 * ended.
 * The recorder starts it with clone instead of fork, without an exit signal: waitpid(-1), by which
 * the recorder finds processes that a script left behind, then does not return it.
 */
#include "record/carrier.h"
#include "base/assert.h"
#include "base/io.h"
#include "record/pump.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE_MS 50 /* between two calls of give_up */

/* ---- in the carrier ---- */

static void close_ends(struct fr_streams *s)
{
	fr_assert(s->n_close <= fr_array_size(s->to_close));
	for (unsigned i = 0; i < s->n_close; i++)
		close(s->to_close[i]);
	s->n_close = 0;
}

/* Returns whether all pumps that matter have ended. */
static bool all_ended(const struct fr_streams *s, bool recorder_died)
{
	for (unsigned i = 0; i < s->n_pumps; i++) {
		const struct fr_pump *p = &s->pump[i];
		bool counts = !p->input || p->close_to || !recorder_died;

		if (counts && !atomic_load(&p->flow->ended))
			return false;
	}
	return true;
}

static void carry(struct fr_streams *s)
{
	struct pollfd f[2] = {{.fd = s->ended_fd, .events = POLLIN},
			      {.fd = s->line, .events = POLLIN}};
	char go;
	uint64_t n;

	fr_assert(!s->carrier && s->line >= 0);
	while (read(s->line, &go, 1) < 0 && errno == EINTR)
		; /* end of file: the recorder has died, but the program may live */
	for (unsigned i = 0; i < s->n_pumps; i++)
		fr_pump_prepare(&s->pump[i]);
	for (unsigned i = 0; i < s->n_pumps; i++)
		fr_pump_start(&s->pump[i]);
	while (!all_ended(s, f[1].fd < 0)) {
		if (poll(f, 2, -1) < 0)
			continue;
		if (f[0].revents && read(s->ended_fd, &n, sizeof(n)) < 0)
			continue;
		if (f[1].fd >= 0 && f[1].revents && read(s->line, &go, 1) <= 0)
			f[1].fd = -1;
	}
	/* Restore the terminal instead of the dead recorder, unless another job owns it now. */
	if (f[1].fd < 0 && s->terminal >= 0 && tcgetpgrp(s->terminal) == getpgrp())
		fr_streams_restore(s);
}

/* ---- in the recorder ---- */

int fr_carrier_fork(struct fr_streams *s, void (*forget)(void *), void *arg, struct fr_err *reterr)
{
	int line[2];

	fr_assert(!s->carrier && s->n_pumps <= FR_PUMPS);
	if (!s->n_pumps)
		return 0;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line) < 0)
		return fr_err_set(reterr, -errno, "cannot create a pair of sockets");
	s->carrier = (pid_t)syscall(SYS_clone, 0, NULL, NULL, NULL, NULL);
	if (s->carrier < 0) {
		s->carrier = 0;
		close(line[0]);
		close(line[1]);
		return fr_err_set(reterr, -errno, "cannot start a process");
	}
	s->line = line[!s->carrier];
	close(line[!!s->carrier]);
	if (s->carrier)
		return 0;
	prctl(PR_SET_NAME, "forerun-streams");
	close_ends(s);
	forget(arg);
	carry(s);
	_exit(0);
}

void fr_carrier_go(struct fr_streams *s)
{
	close_ends(s);
	for (unsigned i = 0; i < s->n_pumps; i++)
		fr_pump_close(&s->pump[i]);
	if (s->carrier && write(s->line, "", 1) < 0)
		fr_carrier_kill(s); /* the carrier has died: only reap it */
}

static void reap(struct fr_streams *s)
{
	fr_assert(s->carrier > 0); /* else waitpid would take another process */
	while (waitpid(s->carrier, NULL, __WALL) < 0 && errno == EINTR)
		;
	s->carrier = 0;
	fr_closep(&s->line);
}

void fr_carrier_kill(struct fr_streams *s)
{
	if (!s->carrier)
		return;
	fr_assert(s->carrier > 1); /* else kill would reach other processes */
	kill(s->carrier, SIGKILL);
	reap(s);
}

void fr_carrier_join(struct fr_streams *s, bool (*give_up)(void *), void *arg)
{
	struct pollfd f = {.fd = s->line, .events = POLLIN};

	if (!s->carrier)
		return;
	while (poll(&f, 1, PATIENCE_MS) <= 0)
		if (give_up(arg)) {
			fr_carrier_kill(s);
			return;
		}
	reap(s);
}
