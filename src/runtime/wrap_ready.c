/*
 * Calls that wait for descriptors: only what they return is told.
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

int frt_wrap_poll(struct pollfd *fds, nfds_t n, int ms)
{
	return told(FR_INPUT_READY, REAL(poll)(fds, n, ms));
}

int frt_wrap_ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
		   const sigset_t *mask)
{
	return told(FR_INPUT_READY, REAL(ppoll)(fds, n, timeout, mask));
}

int frt_wrap_select(int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict err,
		    struct timeval *restrict timeout)
{
	return told(FR_INPUT_READY, REAL(select)(n, in, out, err, timeout));
}

int frt_wrap_pselect(int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict err,
		     const struct timespec *restrict timeout, const sigset_t *restrict mask)
{
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
