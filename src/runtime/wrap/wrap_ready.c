/*
 * Calls that wait for descriptors: records their result and, where there is room, which descriptors
 * were ready. Without descriptors they sleep. Under a schedule they find exactly those descriptors
 * ready that they found in the recorded run. epoll is in wrap_epoll.c.
 * Not handled: which descriptors select found ready if it also waits to write; a difference shows
 * when the program reads from them.
 */
#include "runtime/control/ctl_input.h"
#include "runtime/core/rt_input.h"
#include "runtime/core/kernel.h"
#include "runtime/core/peer.h"
#include "runtime/core/rt_stream.h"
#include "wrap.h"

#define WHICH 48 /* bits of an address */
#define FEW 64	 /* descriptors of select that are watched */
_Static_assert(WHICH <= FR_ADDR_BITS, "the descriptors are the address of an event");

/* After the call: records its result. frt_stream_got of each ready descriptor follows (took). */
static int recorded(int r, uint64_t which)
{
	struct frt_thread *t = frt_asking();

	if (t)
		frt_input_result(t, FR_INPUT_READY, r, which);
	return r;
}

/* One descriptor that is ready; fd < 0: none, which still is a hook. */
static void took(int fd)
{
	struct frt_thread *t = frt_asking();

	if (t)
		frt_stream_got(t, fd);
}

/* After the call and before `recorded`: a descriptor that is ready for reading. */
static void found(int fd, unsigned events)
{
	frt_peer_ready(frt_asking(), fd, events, false);
}

static int slept(int r)
{
	recorded(r, 0);
	took(-1);
	return r;
}

static uint64_t nanoseconds(long s, long ns)
{
	return s < 0 || ns < 0 ? 0 : (uint64_t)s * 1000000000 + (uint64_t)ns;
}

static uint64_t limit_of(const struct timespec *ts)
{
	return ts ? nanoseconds(ts->tv_sec, ts->tv_nsec) : FRT_FOREVER;
}

struct frt_before frt_ready_before(struct pollfd *fds, unsigned n, uint64_t ns)
{
	struct frt_thread *t = frt_asking();
	struct frt_before b = {0};
	int64_t was = 0;

	if (!frt_controlled() || !t)
		return b;
	if (frt_ctl_recorded(t, FR_INPUT_READY, &was, &b.which)) {
		b.r = was > 0 ? (int)was : 0;
		b.answered = was == 0 || was == -EINTR;
		if (was == 0 && ns != FRT_FOREVER)
			frt_ctl_expires(frt_ctl_until(CLOCK_MONOTONIC, &(struct timespec){0}) + ns);
		if (was == -EINTR) {
			errno = EINTR;
			b.r = -1;
		}
		return b;
	}
	switch (fds ? frt_ctl_await(t, fds, n, ns) : FRT_AWAIT_CALL) {
	case FRT_AWAIT_EXPIRED:
		b.expired = true;
		break;
	case FRT_AWAIT_HANDLED: /* these calls never continue after a handler */
	case FRT_AWAIT_INTR:
		errno = EINTR;
		b = (struct frt_before){.answered = true, .r = -1};
		break;
	default:
		break;
	}
	frt_assert(!b.answered || !b.expired);
	return b;
}

/* The call has no descriptors and sleeps. */
static bool sleeps(uint64_t ns, int *r)
{
	uint64_t left;
	enum frt_slept s = frt_sleep(ns, &left);

	if (s == FRT_SLEPT_INTR)
		errno = EINTR;
	*r = s == FRT_SLEPT_INTR ? -1 : 0;
	return s != FRT_SLEPT_NOT;
}

/* ---- poll ---- */

/* Inverts descriptors, which hides them from poll or shows them again. */
static void turn(struct pollfd *fds, uint64_t them)
{
	for (unsigned i = 0; them; i++, them >>= 1)
		if (them & 1) {
			fds[i].fd = ~fds[i].fd;
			fds[i].revents = 0;
		}
}

/* Entries that poll must not find ready. */
static uint64_t others(const struct pollfd *fds, nfds_t n, uint64_t which)
{
	uint64_t them = 0;

	for (nfds_t i = 0; which && i < n && i < WHICH; i++)
		if (fds[i].fd >= 0 && !(which >> i & 1))
			them |= UINT64_C(1) << i;
	return them;
}

/* Room to write shows nothing about what other threads gave. */
static int polled(const struct pollfd *fds, nfds_t n, int r)
{
	uint64_t which = 0;
	bool any = false;

	for (nfds_t i = 0; r > 0 && i < n && i < WHICH; i++)
		which |= fds[i].revents ? UINT64_C(1) << i : 0;
	for (nfds_t i = 0; r > 0 && i < n; i++)
		if (fds[i].revents & ~POLLOUT)
			found(fds[i].fd, (unsigned)fds[i].revents);
	recorded(r, n <= WHICH ? which : 0);
	for (nfds_t i = 0; r > 0 && i < n; i++)
		if (fds[i].revents) {
			took(fds[i].revents & ~POLLOUT ? fds[i].fd : -1);
			any = true;
		}
	if (!any)
		took(-1);
	return r;
}

/* Both forms: with a signal mask, or without one. */
static int polls(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask)
{
	static const struct timespec none;
	struct frt_before b;
	int r;

	if (!n && timeout && !mask && sleeps(limit_of(timeout), &r))
		return slept(r);
	b = frt_ready_before(fds, (unsigned)n, limit_of(timeout));
	r = b.r;
	if (b.answered) {
		for (nfds_t i = 0; !r && i < n; i++)
			fds[i].revents = 0;
	} else {
		b.which = others(fds, n, b.which);
		turn(fds, b.which);
		r = REAL(ppoll)(fds, n, r ? NULL : b.expired ? &none : timeout, mask);
		turn(fds, b.which);
	}
	return polled(fds, n, r);
}

int frt_wrap_poll(struct pollfd *fds, nfds_t n, int ms)
{
	struct timespec ts = {ms / 1000, ms % 1000 * 1000000};

	return frt_controlled() ? polls(fds, n, ms < 0 ? NULL : &ts, NULL)
				: polled(fds, n, REAL(poll)(fds, n, ms));
}

int frt_wrap_ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
		   const sigset_t *mask)
{
	return frt_controlled() ? polls(fds, n, timeout, mask)
				: polled(fds, n, REAL(ppoll)(fds, n, timeout, mask));
}

/* The checked forms (_FORTIFY_SOURCE), which also get the size of the array. */
__attribute__((noreturn)) void __chk_fail(void);

int frt_wrap___poll_chk(struct pollfd *fds, nfds_t n, int ms, size_t room)
{
	if (n > room / sizeof(*fds))
		__chk_fail();
	return frt_wrap_poll(fds, n, ms);
}

int frt_wrap___ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
			 const sigset_t *mask, size_t room)
{
	if (n > room / sizeof(*fds))
		__chk_fail();
	return frt_wrap_ppoll(fds, n, timeout, mask);
}

/* ---- select ---- */

static bool in_set(const fd_set *s, int fd)
{
	return s && FD_ISSET(fd, s);
}

/* Converts the sets to entries of poll; returns their number, 0: too many. */
static unsigned entries(int n, const fd_set *in, const fd_set *out, const fd_set *err,
			struct pollfd fds[FEW])
{
	unsigned k = 0;

	for (int fd = 0; fd < n; fd++) {
		int events = (in_set(in, fd) ? POLLIN : 0) | (in_set(out, fd) ? POLLOUT : 0) |
			     (in_set(err, fd) ? POLLPRI : 0);

		if (!events)
			continue;
		if (k == FEW)
			return 0;
		fds[k++] = (struct pollfd){.fd = fd, .events = (short)events};
	}
	return k;
}

/* Before the call. */
static struct frt_before selects(int n, fd_set *in, fd_set *out, fd_set *err, uint64_t ns)
{
	struct pollfd fds[FEW];
	unsigned k = frt_controlled() ? entries(n, in, out, err, fds) : 0;
	struct frt_before b = frt_ready_before(k ? fds : NULL, k, ns);

	if (b.answered) {
		for (int fd = 0; !b.r && fd < n; fd++) {
			if (in)
				FD_CLR(fd, in);
			if (out)
				FD_CLR(fd, out);
			if (err)
				FD_CLR(fd, err);
		}
		return b;
	}
	for (int fd = 0; b.which && in && fd < n; fd++)
		if (fd >= WHICH || !(b.which >> fd & 1))
			FD_CLR(fd, in);
	return b;
}

static int selected(int n, const fd_set *in, const fd_set *out, const fd_set *err, int r)
{
	uint64_t which = 0;
	bool any = false;

	for (int fd = 0; r > 0 && fd < n && fd < WHICH; fd++)
		which |= in_set(in, fd) ? UINT64_C(1) << fd : 0;
	for (int fd = 0; r > 0 && fd < n; fd++)
		if (in_set(in, fd))
			found(fd, POLLIN);
	recorded(r, n <= WHICH && !out && !err ? which : 0);
	for (int fd = 0; r > 0 && fd < n; fd++)
		if (in_set(in, fd) || in_set(err, fd)) {
			took(fd);
			any = true;
		}
	if (!any)
		took(-1);
	return r;
}

int frt_wrap_select(int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict err,
		    struct timeval *restrict timeout)
{
	struct timespec ts = {0};
	struct frt_before b;
	int r;

	if (timeout)
		ts = (struct timespec){timeout->tv_sec, timeout->tv_usec * 1000};
	if (!in && !out && !err && timeout && sleeps(limit_of(&ts), &r)) {
		*timeout = (struct timeval){0};
		return slept(r);
	}
	b = selects(n, in, out, err, limit_of(timeout ? &ts : NULL));
	r = b.r;
	if (timeout && (b.expired || (b.answered && !r)))
		*timeout = (struct timeval){0};
	if (!b.answered)
		r = REAL(select)(n, in, out, err, r ? NULL : timeout);
	return selected(n, in, out, err, r);
}

int frt_wrap_pselect(int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict err,
		     const struct timespec *restrict timeout, const sigset_t *restrict mask)
{
	static const struct timespec none;
	struct frt_before b;
	int r;

	if (!in && !out && !err && timeout && !mask && sleeps(limit_of(timeout), &r))
		return slept(r);
	b = selects(n, in, out, err, limit_of(timeout));
	r = b.r;
	if (!b.answered)
		r = REAL(pselect)(n, in, out, err, r ? NULL : b.expired ? &none : timeout, mask);
	return selected(n, in, out, err, r);
}

/* ---- accept ---- */

/* A connection was accepted: the peer's actions before it connected come before. */
static int accepted(int fd, int r)
{
	struct frt_thread *t = frt_asking();

	if (!t)
		return r;
	frt_peer_accepted(t, fd, r);
	frt_input_result(t, FR_INPUT_ACCEPT, r, 0);
	frt_take(t, frt_key_bound(fd));
	if (r >= 0)
		frt_key_connected(r);
	return r;
}

int frt_wrap_accept(int fd, struct sockaddr *restrict peer, socklen_t *restrict len)
{
	int r = -1;

	if (frt_stream_ask(frt_asking(), FR_INPUT_ACCEPT, fd, true, NULL))
		r = REAL(accept)(fd, peer, len);
	return accepted(fd, r);
}

int frt_wrap_accept4(int fd, struct sockaddr *restrict peer, socklen_t *restrict len, int flags)
{
	int r = -1;

	if (frt_stream_ask(frt_asking(), FR_INPUT_ACCEPT, fd, true, NULL))
		r = REAL(accept4)(fd, peer, len, flags);
	return accepted(fd, r);
}
