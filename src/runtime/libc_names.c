/*
 * Calls that the pass redirects because of their names alone (FRT_WP of wrapped.def): in a static
 * program the linker must not do it, for it would take whatever the program has of that name.
 */
#include "hooks.h"
#include "real.h"

time_t frt_libc_time(time_t *ret)
{
	return frt_wrap_time(ret);
}

clock_t frt_libc_clock(void)
{
	return frt_wrap_clock();
}

clock_t frt_libc_times(struct tms *ret)
{
	return frt_wrap_times(ret);
}

int frt_libc_kill(pid_t pid, int sig)
{
	return frt_wrap_kill(pid, sig);
}

int frt_libc_poll(struct pollfd *fds, nfds_t n, int ms)
{
	return frt_wrap_poll(fds, n, ms);
}

int frt_libc_select(int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict err,
		    struct timeval *restrict timeout)
{
	return frt_wrap_select(n, in, out, err, timeout);
}

int frt_libc_accept(int fd, struct sockaddr *restrict peer, socklen_t *restrict len)
{
	return frt_wrap_accept(fd, peer, len);
}

unsigned frt_libc_sleep(unsigned s)
{
	return frt_wrap_sleep(s);
}

unsigned frt_libc_alarm(unsigned s)
{
	return frt_wrap_alarm(s);
}
