/*
 * Waiting for descriptors after the targets: as long as others can run, a thread that reads from an
 * empty pipe or socket is parked, and looked after when the next one is chosen. So threads that
 * talk to each other through the kernel do so in the same order every time, and nobody has to
 * notice.
 *
 * When nobody else can run, what it waits for comes from outside of the program. Then it waits
 * there, for everybody: the one who finds that out polls the descriptors of all who are parked so,
 * without the turn, and asks for the next when one is ready.
 *
 * Before the targets a thread waits outside, if the schedule has not seen to it that it need not:
 * see stream.h.
 * Not handled: a wait with a limit in time really waits, when it is the earliest to expire.
 */
#include "ctl_turn.h"
#include <errno.h>
#include <poll.h>

#define MOST 256 /* descriptors that are waited for outside; further ones wait for their turn */

static long poll_now(struct pollfd *fds, unsigned n)
{
	return REAL(syscall)(SYS_poll, fds, (unsigned long)n, 0L);
}

bool frt_ctl_fd_ready(const struct frt_ctl_thread *c)
{
	return c->fds && poll_now(c->fds, c->nfds) != 0;
}

/* Everybody is blocked or away. */
static void wait_outside(struct frt_thread *t)
{
	struct frt_ctl_thread *self = frt_ctl_thread(t);
	struct pollfd all[MOST];
	unsigned n = 0;

	for (uint32_t i = 0, k = frt_ctl_count(); i < k; i++) {
		const struct frt_ctl_thread *c = &frt_ctl_threads[i];

		if (!c->t || !c->fds || (c != self && frt_ctl_status(c) != FR_CTL_BLOCKED))
			continue;
		for (unsigned j = 0; j < c->nfds && n < MOST; j++)
			all[n++] = c->fds[j];
	}
	t->limit = 0;
	frt_ctl_set_status(self, FR_CTL_AWAY);
	frt_ctl_pass(NULL);
	REAL(syscall)(SYS_poll, all, (unsigned long)n, -1L);
	frt_ctl_back(t);
}

bool frt_ctl_await(struct frt_thread *t, struct pollfd *fds, unsigned n, int ms)
{
	struct frt_ctl_thread *c = frt_ctl_thread(t), *next;
	uint64_t until = frt_ctl_vtime + (uint64_t)(ms > 0 ? ms : 0) * 1000000;
	int saved = errno;
	bool expired = false, handled = false;

	frt_ctl_back(t);
	while (frt_ctl_free() && ms && !expired && !handled && !frt_ctl_cancelled(t) &&
	       !poll_now(fds, n)) {
		c->obj = NULL;
		c->fds = fds;
		c->nfds = n;
		c->timed = ms > 0;
		c->until = until;
		c->expired = false;
		frt_ctl_set_status(c, FR_CTL_BLOCKED);
		next = frt_ctl_choose(t);
		if (next == c)
			frt_ctl_set_status(c, FR_CTL_RUNNING);
		else if (next)
			frt_ctl_pass(next), frt_ctl_park(t);
		else
			wait_outside(t);
		expired = c->expired;
		c->fds = NULL;
		c->timed = c->expired = false;
		handled = frt_ctl_deliver(t);
	}
	errno = saved;
	return handled;
}
