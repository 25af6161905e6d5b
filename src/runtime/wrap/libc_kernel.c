/*
 * System calls that pass data between threads: records the memory that they read and write. The
 * order that they impose comes from their wrappers (wrap_kernel.c and others), which see calls of
 * all code. Memory is recorded only for calls of instrumented code, because other code may protect
 * its buffers by means that are not recorded.
 *
 * Invariant: buffers that go into the kernel are read before the wrapper releases anything, and no
 * turn ends in between. Buffers that come from the kernel are written after the wrapper acquired.
 */
#include "format/hook_abi.h"
#include "libc_access.h"
#include "runtime/core/real.h"
#include "runtime/core/rt_stream.h"
#include <sys/wait.h>

/* `n` bytes came into the pieces. */
static void wrote_pieces(const struct iovec *v, size_t count, size_t n)
{
	for (size_t i = 0; v && i < count && n; i++) {
		size_t part = v[i].iov_len < n ? v[i].iov_len : n;

		WROTE(v[i].iov_base, part);
		n -= part;
	}
}

static void reads_pieces(struct frt_reads *r, const struct iovec *v, size_t count)
{
	frt_reads(r, v, count * sizeof(*v));
	for (size_t i = 0; v && i < count; i++)
		frt_reads(r, v[i].iov_base, v[i].iov_len);
}

/* Makes `call` after it has recorded the reads that `reads` adds to R. */
#define AFTER(reads, call)                           \
	({                                           \
		struct frt_reads R = {0};            \
		__auto_type result = 0 ? (call) : 0; \
                                                     \
		if (frt_self) {                      \
			reads;                       \
		}                                    \
		frt_reads_end(&R);                   \
		result = (call);                     \
		frt_give_end(&R.g);                  \
		result;                              \
	})

/* ---- messages ---- */

static void reads_header(const struct msghdr *m)
{
	READ(m, sizeof(*m));
	READ(m->msg_iov, m->msg_iovlen * sizeof(*m->msg_iov));
}

static void reads_message(struct frt_reads *r, const struct msghdr *m)
{
	frt_reads(r, m, sizeof(*m));
	frt_reads(r, m->msg_name, m->msg_namelen);
	frt_reads(r, m->msg_control, m->msg_controllen);
	reads_pieces(r, m->msg_iov, m->msg_iovlen);
}

static void wrote_message(const struct msghdr *m, size_t n)
{
	wrote_pieces(m->msg_iov, m->msg_iovlen, n);
	if (m->msg_name)
		WROTE(m->msg_name, m->msg_namelen);
	if (m->msg_control)
		WROTE(m->msg_control, m->msg_controllen);
	WROTE(&m->msg_namelen, sizeof(m->msg_namelen));
	WROTE(&m->msg_controllen, sizeof(m->msg_controllen) + sizeof(m->msg_flags));
}

ssize_t frt_libc_sendmsg(int fd, const struct msghdr *m, int flags)
{
	return AFTER(reads_message(&R, m), frt_wrap_sendmsg(fd, m, flags));
}

int frt_libc_sendmmsg(int fd, struct mmsghdr *m, unsigned n, int flags)
{
	int r = AFTER(for (unsigned i = 0; i < n; i++) reads_message(&R, &m[i].msg_hdr),
		      frt_wrap_sendmmsg(fd, m, n, flags));

	for (int i = 0; i < r; i++)
		WROTE(&m[i].msg_len, sizeof(m[i].msg_len));
	return r;
}

ssize_t frt_libc_recvmsg(int fd, struct msghdr *m, int flags)
{
	ssize_t r;

	if (frt_self)
		reads_header(m);
	r = frt_wrap_recvmsg(fd, m, flags);
	if (frt_self && r >= 0)
		wrote_message(m, (size_t)r);
	return r;
}

int frt_libc_recvmmsg(int fd, struct mmsghdr *m, unsigned n, int flags, struct timespec *timeout)
{
	int r;

	for (unsigned i = 0; frt_self && i < n; i++)
		reads_header(&m[i].msg_hdr);
	r = frt_wrap_recvmmsg(fd, m, n, flags, timeout);
	for (int i = 0; frt_self && i < r; i++) {
		wrote_message(&m[i].msg_hdr, m[i].msg_len);
		WROTE(&m[i].msg_len, sizeof(m[i].msg_len));
	}
	return r;
}

/* ---- pieces at an offset of a file ---- */

ssize_t frt_libc_pwritev(int fd, const struct iovec *v, int n, off_t at)
{
	return AFTER(reads_pieces(&R, v, n > 0 ? (size_t)n : 0), frt_wrap_pwritev(fd, v, n, at));
}

ssize_t frt_libc_pwritev64(int fd, const struct iovec *v, int n, off64_t at)
{
	return frt_libc_pwritev(fd, v, n, at);
}

ssize_t frt_libc_preadv(int fd, const struct iovec *v, int n, off_t at)
{
	ssize_t r;

	READ(v, n > 0 ? (size_t)n * sizeof(*v) : 0);
	r = frt_wrap_preadv(fd, v, n, at);
	if (frt_self && r > 0)
		wrote_pieces(v, (size_t)n, (size_t)r);
	return r;
}

ssize_t frt_libc_preadv64(int fd, const struct iovec *v, int n, off64_t at)
{
	return frt_libc_preadv(fd, v, n, at);
}

ssize_t frt_libc_vmsplice(int fd, const struct iovec *v, size_t n, unsigned flags)
{
	return AFTER(reads_pieces(&R, v, n), frt_wrap_vmsplice(fd, v, n, flags));
}

/* ---- message queues ---- */

int frt_libc_mq_send(mqd_t q, const char *from, size_t n, unsigned priority)
{
	return AFTER(frt_reads(&R, from, n), frt_wrap_mq_send(q, from, n, priority));
}

int frt_libc_mq_timedsend(mqd_t q, const char *from, size_t n, unsigned priority,
			  const struct timespec *until)
{
	return AFTER(frt_reads(&R, from, n), frt_wrap_mq_timedsend(q, from, n, priority, until));
}

static ssize_t received(const char *to, const unsigned *priority, ssize_t r)
{
	if (r < 0)
		return r;
	WROTE(to, (size_t)r);
	WROTE(priority, sizeof(*priority));
	return r;
}

ssize_t frt_libc_mq_receive(mqd_t q, char *to, size_t n, unsigned *priority)
{
	return received(to, priority, frt_wrap_mq_receive(q, to, n, priority));
}

ssize_t frt_libc_mq_timedreceive(mqd_t q, char *to, size_t n, unsigned *priority,
				 const struct timespec *until)
{
	return received(to, priority, frt_wrap_mq_timedreceive(q, to, n, priority, until));
}

int frt_libc_msgsnd(int id, const void *message, size_t n, int flags)
{
	return AFTER(frt_reads(&R, message, sizeof(long) + n),
		     frt_wrap_msgsnd(id, message, n, flags));
}

ssize_t frt_libc_msgrcv(int id, void *message, size_t n, long type, int flags)
{
	ssize_t r = frt_wrap_msgrcv(id, message, n, type, flags);

	if (r >= 0)
		WROTE(message, sizeof(long) + (size_t)r);
	return r;
}

int frt_libc_semop(int id, struct sembuf *ops, size_t n)
{
	return AFTER(frt_reads(&R, ops, n * sizeof(*ops)), frt_wrap_semop(id, ops, n));
}

int frt_libc_semtimedop(int id, struct sembuf *ops, size_t n, const struct timespec *timeout)
{
	return AFTER(frt_reads(&R, ops, n * sizeof(*ops)),
		     frt_wrap_semtimedop(id, ops, n, timeout));
}

/* ---- asynchronous ---- */

static void reads_block(struct frt_reads *r, const struct aiocb *cb)
{
	if (cb && cb->aio_lio_opcode == LIO_WRITE)
		frt_reads(r, (const void *)cb->aio_buf, cb->aio_nbytes);
}

int frt_libc_aio_write(struct aiocb *cb)
{
	return AFTER(frt_reads(&R, (const void *)cb->aio_buf, cb->aio_nbytes),
		     frt_wrap_aio_write(cb));
}

int frt_libc_lio_listio(int mode, struct aiocb *const list[], int n, struct sigevent *event)
{
	return AFTER(for (int i = 0; i < n; i++) reads_block(&R, list[i]),
		     frt_wrap_lio_listio(mode, list, n, event));
}

/* The data counts as written when the program learns its length. */
ssize_t frt_libc_aio_return(struct aiocb *cb)
{
	int op = cb->aio_lio_opcode;
	ssize_t r = frt_wrap_aio_return(cb);

	if (r > 0 && op == LIO_READ)
		WROTE((const void *)cb->aio_buf, (size_t)r);
	return r;
}

/* ---- counters, timers ---- */

int frt_libc_eventfd_read(int fd, eventfd_t *value)
{
	int r = frt_wrap_eventfd_read(fd, value);

	if (r == 0)
		WROTE(value, sizeof(*value));
	return r;
}

int frt_libc_timerfd_settime(int fd, int flags, const struct itimerspec *to, struct itimerspec *was)
{
	int r = AFTER(frt_reads(&R, to, sizeof(*to)), frt_wrap_timerfd_settime(fd, flags, to, was));

	if (r == 0)
		WROTE(was, sizeof(*was));
	return r;
}

/* ---- addresses, children ---- */

static void wrote_address(const struct sockaddr *a, const socklen_t *n, socklen_t room)
{
	if (!a || !n)
		return;
	WROTE(n, sizeof(*n));
	WROTE(a, *n < room ? *n : room);
}

/* Defines a wrapper that makes the call and records the address that it writes. */
#define ADDRESS(name, params, call)                \
	int frt_libc_##name params                 \
	{                                          \
		socklen_t room = a && n ? *n : 0;  \
		int r = call;                      \
                                                   \
		if (r >= 0)                        \
			wrote_address(a, n, room); \
		return r;                          \
	}

ADDRESS(accept, (int fd, struct sockaddr *restrict a, socklen_t *restrict n),
	frt_wrap_accept(fd, a, n))
ADDRESS(accept4, (int fd, struct sockaddr *restrict a, socklen_t *restrict n, int flags),
	frt_wrap_accept4(fd, a, n, flags))
ADDRESS(getsockname, (int fd, struct sockaddr *restrict a, socklen_t *restrict n),
	getsockname(fd, a, n))
ADDRESS(getpeername, (int fd, struct sockaddr *restrict a, socklen_t *restrict n),
	getpeername(fd, a, n))

pid_t frt_libc_waitpid(pid_t pid, int *status, int options)
{
	pid_t r = frt_wrap_waitpid(pid, status, options);

	if (r > 0)
		WROTE(status, sizeof(*status));
	return r;
}

pid_t frt_libc_wait(int *status)
{
	return frt_libc_waitpid(-1, status, 0);
}

/* ---- descriptors that are ready ---- */

int frt_libc_poll(struct pollfd *fds, nfds_t n, int ms)
{
	struct frt_thread *t = frt_self;
	int r;

	READ(fds, n * sizeof(*fds));
	r = frt_wrap_poll(fds, n, ms);
	if (t && frt_self && r >= 0 && n)
		frt_h_stride_write(&fds->revents, n, sizeof(*fds), sizeof(fds->revents),
				   frt_call_site(t));
	return r;
}

int frt_libc_epoll_wait(int fd, struct epoll_event *events, int n, int ms)
{
	int r = frt_wrap_epoll_wait(fd, events, n, ms);

	if (r > 0)
		WROTE(events, (size_t)r * sizeof(*events));
	return r;
}

int frt_libc_epoll_pwait(int fd, struct epoll_event *events, int n, int ms, const sigset_t *mask)
{
	int r = frt_wrap_epoll_pwait(fd, events, n, ms, mask);

	if (r > 0)
		WROTE(events, (size_t)r * sizeof(*events));
	return r;
}

static void wrote_set(const fd_set *set, int n)
{
	WROTE(set, ((size_t)n + 63) / 64 * 8);
}

int frt_libc_select(int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict err,
		    struct timeval *restrict timeout)
{
	int r = frt_wrap_select(n, in, out, err, timeout);

	if (r < 0 || n <= 0)
		return r;
	wrote_set(in, n);
	wrote_set(out, n);
	wrote_set(err, n);
	WROTE(timeout, sizeof(*timeout));
	return r;
}
