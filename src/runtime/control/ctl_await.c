/*
 * Waiting for descriptors in the free stage.
 *
 * A thread that reads from an empty pipe or socket is parked as long as other threads can run.
 * frt_ctl_scan polls its descriptors when it chooses the next thread. So threads that communicate
 * through the kernel do so in the same order every time, and the tool need not notice their waits.
 * When no thread can run, ctl_idle.c waits for the descriptors of all threads.
 *
 * Before the free stage a thread waits in the real call, unless the schedule already guarantees
 * that the data has come: see runtime/core/rt_stream.h.
 */
#include "ctl_poll.h"
#include "ctl_turn.h"
#include <errno.h>
#include <poll.h>

static long poll_now(struct pollfd *fds, unsigned n)
{
	return syscall(SYS_poll, fds, (unsigned long)n, 0L);
}

bool frt_ctl_fd_ready(const struct frt_ctl_thread *c)
{
	return c->fds && poll_now(c->fds, c->nfds) != 0;
}

/* Parks until a descriptor is ready or the thread is woken otherwise. True: the time is up. */
static bool parked(struct frt_thread *t, struct pollfd *fds, unsigned n, const uint64_t *until)
{
	struct frt_ctl_thread *c = frt_ctl_thread(t), *next;
	bool expired;

	frt_assert(frt_ctl_free());
	c->obj = NULL;
	c->kind = FR_EV_INPUT;
	c->shared = false;
	c->fds = fds;
	c->nfds = n;
	c->timed = until != NULL;
	c->until = until ? *until : 0;
	c->expired = false;
	frt_ctl_set_status(c, FR_CTL_BLOCKED);
	next = frt_ctl_choose(t);
	if (next == c) {
		frt_ctl_set_status(c, FR_CTL_RUNNING);
	} else {
		frt_ctl_pass(next);
		frt_ctl_park(t);
	}
	expired = c->expired;
	c->fds = NULL;
	c->timed = c->expired = false;
	return expired;
}

enum frt_await frt_ctl_await(struct frt_thread *t, struct pollfd *fds, unsigned n, uint64_t ns)
{
	uint64_t until = frt_ctl_vtime + ns;
	enum frt_await r = FRT_AWAIT_CALL;
	int saved = errno;

	frt_ctl_back(t);
	if (n && frt_ctl_poll_watches() && frt_ctl_from_outside(fds, n))
		frt_ctl_poll_call(t, FRT_POLL_OUTSIDE);
	frt_ctl_poll_call(t, FRT_POLL_SLEEP);
	while (r == FRT_AWAIT_CALL && frt_ctl_free() && ns && !frt_ctl_cancelled(t) &&
	       !poll_now(fds, n)) {
		if (parked(t, fds, n, ns == FRT_FOREVER ? NULL : &until))
			r = FRT_AWAIT_EXPIRED;
		else if (frt_ctl_deliver(t))
			r = frt_ctl_thread(t)->restart ? FRT_AWAIT_HANDLED : FRT_AWAIT_INTR;
	}
	errno = saved;
	return r;
}
