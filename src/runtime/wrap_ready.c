/*
 * Calls that wait for descriptors: only what they return is told.
 * Without descriptors they sleep.
 * Not handled: which descriptors were ready, which the program sees; a difference there shows when
 * it reads from them.
 */
#include "input.h"
#include "wrap.h"

static int told(unsigned what, int r)
{
	struct frt_thread *t = frt_asking();

	if (t)
		frt_input_result(t, what, r);
	return r;
}

static uint64_t nanoseconds(long s, long ns)
{
	return s < 0 || ns < 0 ? 0 : (uint64_t)s * 1000000000 + (uint64_t)ns;
}

int frt_wrap_poll(struct pollfd *fds, nfds_t n, int ms)
{
	if (!n && ms >= 0 && frt_sleep((uint64_t)ms * 1000000))
		return told(FR_INPUT_READY, 0);
	return told(FR_INPUT_READY, REAL(poll)(fds, n, ms));
}

int frt_wrap_ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
		   const sigset_t *mask)
{
	if (!n && timeout && !mask && frt_sleep(nanoseconds(timeout->tv_sec, timeout->tv_nsec)))
		return told(FR_INPUT_READY, 0);
	return told(FR_INPUT_READY, REAL(ppoll)(fds, n, timeout, mask));
}

/* As _FORTIFY_SOURCE has them: the room for descriptors is given. */
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

int frt_wrap_select(int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict err,
		    struct timeval *restrict timeout)
{
	if (!in && !out && !err && timeout &&
	    frt_sleep(nanoseconds(timeout->tv_sec, timeout->tv_usec * 1000))) {
		*timeout = (struct timeval){0};
		return told(FR_INPUT_READY, 0);
	}
	return told(FR_INPUT_READY, REAL(select)(n, in, out, err, timeout));
}

int frt_wrap_pselect(int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict err,
		     const struct timespec *restrict timeout, const sigset_t *restrict mask)
{
	if (!in && !out && !err && timeout && !mask &&
	    frt_sleep(nanoseconds(timeout->tv_sec, timeout->tv_nsec)))
		return told(FR_INPUT_READY, 0);
	return told(FR_INPUT_READY, REAL(pselect)(n, in, out, err, timeout, mask));
}

int frt_wrap_epoll_wait(int fd, struct epoll_event *events, int n, int ms)
{
	return told(FR_INPUT_READY, REAL(epoll_wait)(fd, events, n, ms));
}

int frt_wrap_epoll_pwait(int fd, struct epoll_event *events, int n, int ms, const sigset_t *mask)
{
	return told(FR_INPUT_READY, REAL(epoll_pwait)(fd, events, n, ms, mask));
}

int frt_wrap_accept(int fd, struct sockaddr *restrict peer, socklen_t *restrict len)
{
	return told(FR_INPUT_ACCEPT, REAL(accept)(fd, peer, len));
}

int frt_wrap_accept4(int fd, struct sockaddr *restrict peer, socklen_t *restrict len, int flags)
{
	return told(FR_INPUT_ACCEPT, REAL(accept4)(fd, peer, len, flags));
}
