/*
 * The checked forms of read functions (_FORTIFY_SOURCE), which also get the size of the buffer.
 * They check it and then call the plain function.
 * Not handled: the checked forms of formatting.
 */
#include "format/hook_abi.h"
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

__attribute__((noreturn)) void __chk_fail(void);

ssize_t frt_libc_read(int fd, void *to, size_t n);
ssize_t frt_libc_pread(int fd, void *to, size_t n, off_t at);
ssize_t frt_libc_recv(int fd, void *to, size_t n, int flags);
ssize_t frt_libc_recvfrom(int fd, void *restrict to, size_t n, int flags,
			  struct sockaddr *restrict peer, socklen_t *restrict len);
char *frt_libc_fgets(char *restrict to, int max, FILE *restrict f);
size_t frt_libc_fread(void *restrict to, size_t size, size_t n, FILE *restrict f);

static inline void check(size_t n, size_t room)
{
	if (n > room)
		__chk_fail();
}

ssize_t frt_libc___read_chk(int fd, void *to, size_t n, size_t room)
{
	check(n, room);
	return frt_libc_read(fd, to, n);
}

ssize_t frt_libc___pread_chk(int fd, void *to, size_t n, off_t at, size_t room)
{
	check(n, room);
	return frt_libc_pread(fd, to, n, at);
}

ssize_t frt_libc___recv_chk(int fd, void *to, size_t n, size_t room, int flags)
{
	check(n, room);
	return frt_libc_recv(fd, to, n, flags);
}

ssize_t frt_libc___recvfrom_chk(int fd, void *restrict to, size_t n, size_t room, int flags,
				struct sockaddr *restrict peer, socklen_t *restrict len)
{
	check(n, room);
	return frt_libc_recvfrom(fd, to, n, flags, peer, len);
}

char *frt_libc___fgets_chk(char *restrict to, size_t room, int max, FILE *restrict f)
{
	check(max < 0 ? 0 : (size_t)max, room);
	return frt_libc_fgets(to, max, f);
}

size_t frt_libc___fread_chk(void *restrict to, size_t room, size_t size, size_t n, FILE *restrict f)
{
	size_t bytes;

	check(__builtin_mul_overflow(size, n, &bytes) ? SIZE_MAX : bytes, room);
	return frt_libc_fread(to, size, n, f);
}
