/*
 * Input and output in libc: records the buffers that a call read and wrote (see libc_ranges.c).
 * Data that was read is also an input (rt_input.h): its length and a hash. Formatted output is in
 * libc_format.c, formatted input in libc_scan.c. Further system calls are in libc_kernel.c.
 * Not handled: getc, which is not redirected.
 */
#include "runtime/control/ctl.h"
#include "format/hook_abi.h"
#include "runtime/core/rt_input.h"
#include "runtime/core/kernel.h"
#include "runtime/core/peer.h"
#include "libc_access.h"
#include "runtime/core/public.h"
#include "runtime/core/real.h"
#include "runtime/core/rt.h"
#include "runtime/core/sanitizer.h"
#include "runtime/core/rt_stream.h"
#include "wrap.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

/* r bytes came from outside through a stream, perhaps from a peer. The call began at that hook. */
static inline void from_stream(FILE *f, uint64_t hook, ssize_t r, void *p, size_t n)
{
	struct iovec piece = {p, n ? n : 1};

	frt_peer_read_at(frt_self, hook, f->_fileno, r > 0 ? r : 0, &piece, 1, 0);
	frt_input_stream(frt_self, f->_fileno, p, n, r);
}

/* ---- streams ---- */

int frt_libc_puts(const char *s)
{
	struct frt_give g;
	int r;

	frt_give_begin(&g);
	if (g.t)
		READ(s, strlen(s) + 1);
	r = frt_wrap_puts(s);
	frt_give_end(&g);
	return r;
}

int frt_libc_fputs(const char *restrict s, FILE *restrict f)
{
	struct frt_give g;
	int r;

	frt_stdio_uses(f);
	frt_give_begin(&g);
	if (g.t)
		READ(s, strlen(s) + 1);
	r = frt_stdio_fputs(s, f);
	frt_give_end(&g);
	return r;
}

char *frt_libc_fgets(char *restrict to, int max, FILE *restrict f)
{
	uint64_t hook = frt_stream_file(f);
	char *r;
	size_t n;

	r = frt_wrap_fgets(to, max, f);
	n = r && frt_self ? strlen(r) : 0;
	from_stream(f, hook, (ssize_t)n, to, n);
	if (r && frt_self)
		WROTE(r, n + 1);
	return r;
}

size_t frt_libc_fread(void *restrict to, size_t size, size_t n, FILE *restrict f)
{
	uint64_t hook = frt_stream_file(f);
	size_t r;

	r = frt_wrap_fread(to, size, n, f);
	from_stream(f, hook, (ssize_t)(r * size), to, r * size);
	WROTE(to, r * size);
	return r;
}

ssize_t frt_libc_getdelim(char **restrict to, size_t *restrict n, int end, FILE *restrict f)
{
	uint64_t hook = frt_stream_file(f);
	ssize_t r;

	r = frt_wrap_getdelim(to, n, end, f);
	from_stream(f, hook, r, r > 0 ? *to : NULL, r > 0 ? (size_t)r : 0);
	if (r > 0)
		WROTE(*to, (size_t)r + 1);
	WROTE(to, sizeof(*to));
	WROTE(n, sizeof(*n));
	return r;
}

ssize_t frt_libc_getline(char **restrict to, size_t *restrict n, FILE *restrict f)
{
	return frt_libc_getdelim(to, n, '\n', f);
}

size_t frt_libc_fwrite(const void *restrict from, size_t size, size_t n, FILE *restrict f)
{
	struct frt_give g;
	size_t r, all;

	frt_stdio_uses(f);
	frt_give_begin(&g);
	if (!__builtin_mul_overflow(size, n, &all))
		READ(from, all);
	r = frt_stdio_fwrite(from, size, n, f);
	frt_give_end(&g);
	return r;
}

/* ---- files and sockets ---- */

/* A call that reads one buffer of the program, as its last step before the call. */
#define GIVES(p, n, call)               \
	({                              \
		struct frt_give gives;  \
		ssize_t given;          \
                                        \
		frt_give_begin(&gives); \
		READ(p, n);             \
		given = (call);         \
		frt_give_end(&gives);   \
		given;                  \
	})

/* r bytes of n came; the length of a truncated datagram exceeds its buffer. */
static inline ssize_t got(const void *to, size_t n, ssize_t r)
{
	if (r > 0)
		WROTE(to, (size_t)r < n ? (size_t)r : n);
	return r;
}

ssize_t frt_libc_read(int fd, void *to, size_t n)
{
	return got(to, n, frt_wrap_read(fd, to, n));
}

ssize_t frt_libc_write(int fd, const void *from, size_t n)
{
	return GIVES(from, n, frt_wrap_write(fd, from, n));
}

ssize_t frt_libc_pread(int fd, void *to, size_t n, off_t at)
{
	return got(to, n, frt_wrap_pread(fd, to, n, at));
}

ssize_t frt_libc_pwrite(int fd, const void *from, size_t n, off_t at)
{
	return GIVES(from, n, frt_wrap_pwrite(fd, from, n, at));
}

ssize_t frt_libc_pread64(int fd, void *to, size_t n, off64_t at)
{
	return got(to, n, frt_wrap_pread64(fd, to, n, at));
}

ssize_t frt_libc_pwrite64(int fd, const void *from, size_t n, off64_t at)
{
	return GIVES(from, n, frt_wrap_pwrite64(fd, from, n, at));
}

ssize_t frt_libc_recv(int fd, void *to, size_t n, int flags)
{
	return got(to, n, frt_wrap_recv(fd, to, n, flags));
}

ssize_t frt_libc_send(int fd, const void *from, size_t n, int flags)
{
	return GIVES(from, n, frt_wrap_send(fd, from, n, flags));
}

ssize_t frt_libc_recvfrom(int fd, void *restrict to, size_t n, int flags,
			  struct sockaddr *restrict peer, socklen_t *restrict len)
{
	socklen_t room = peer && len ? *len : 0;
	ssize_t r = got(to, n, frt_wrap_recvfrom(fd, to, n, flags, peer, len));

	if (r >= 0 && peer && len) {
		WROTE(len, sizeof(*len));
		WROTE(peer, *len < room ? *len : room);
	}
	return r;
}

ssize_t frt_libc_sendto(int fd, const void *from, size_t n, int flags, const struct sockaddr *peer,
			socklen_t len)
{
	READ(peer, len);
	return GIVES(from, n, frt_wrap_sendto(fd, from, n, flags, peer, len));
}

ssize_t frt_libc_readv(int fd, const struct iovec *v, int n)
{
	ssize_t r;
	size_t left;

	READ(v, n > 0 ? (size_t)n * sizeof(*v) : 0);
	r = frt_wrap_readv(fd, v, n);
	left = r > 0 ? (size_t)r : 0;
	for (int i = 0; i < n && left; i++) {
		size_t part = v[i].iov_len < left ? v[i].iov_len : left;

		WROTE(v[i].iov_base, part);
		left -= part;
	}
	return r;
}

ssize_t frt_libc_writev(int fd, const struct iovec *v, int n)
{
	struct frt_reads reads = {0};
	ssize_t r;

	if (n > 0)
		frt_reads(&reads, v, (size_t)n * sizeof(*v));
	for (int i = 0; frt_self && i < n; i++)
		frt_reads(&reads, v[i].iov_base, v[i].iov_len);
	frt_reads_end(&reads);
	r = frt_wrap_writev(fd, v, n);
	frt_give_end(&reads.g);
	return r;
}

/* ---- pipes and sockets ---- */

int frt_libc_socketpair(int domain, int type, int protocol, int end[2])
{
	int r = frt_wrap_socketpair(domain, type, protocol, end);

	if (r == 0)
		WROTE(end, 2 * sizeof(*end));
	return r;
}

int frt_libc_pipe(int end[2])
{
	int r = frt_wrap_pipe(end);

	if (r == 0)
		WROTE(end, 2 * sizeof(*end));
	return r;
}

int frt_libc_pipe2(int end[2], int flags)
{
	int r = frt_wrap_pipe2(end, flags);

	if (r == 0)
		WROTE(end, 2 * sizeof(*end));
	return r;
}

int frt_libc_socket(int domain, int type, int protocol)
{
	return frt_wrap_socket(domain, type, protocol);
}

int frt_libc_close(int fd)
{
	return frt_wrap_close(fd);
}

int frt_libc_shutdown(int fd, int how)
{
	return frt_wrap_shutdown(fd, how);
}

int frt_libc_connect(int fd, const struct sockaddr *peer, socklen_t len)
{
	return (int)GIVES(peer, len, frt_wrap_connect(fd, peer, len));
}
