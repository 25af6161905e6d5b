/*
 * Calls that the pass redirects because of their names alone (FRT_WP of wrapped.def). In a static
 * program the linker cannot do it, because --wrap would redirect any symbol of that name.
 */
#include "format/hook_abi.h"
#include "runtime/core/real.h"
#include <stdarg.h>

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

unsigned frt_libc_sleep(unsigned s)
{
	return frt_wrap_sleep(s);
}

unsigned frt_libc_alarm(unsigned s)
{
	return frt_wrap_alarm(s);
}

int frt_libc_pause(void)
{
	return frt_wrap_pause();
}

/* Names of files (wrap_file.c). */

int frt_libc_open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list ap;

	va_start(ap, flags);
	if (flags & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY)))
		mode = va_arg(ap, mode_t);
	va_end(ap);
	return frt_wrap_open(path, flags, mode);
}

int frt_libc_openat(int dir, const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list ap;

	va_start(ap, flags);
	if (flags & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY)))
		mode = va_arg(ap, mode_t);
	va_end(ap);
	return frt_wrap_openat(dir, path, flags, mode);
}

#define PASS(ret, name, params, args)        \
	ret frt_libc_##name params           \
	{                                    \
		return frt_wrap_##name args; \
	}

PASS(int, creat, (const char *path, mode_t mode), (path, mode))
PASS(int, access, (const char *path, int how), (path, how))
PASS(int, stat, (const char *path, struct stat *st), (path, st))
PASS(int, lstat, (const char *path, struct stat *st), (path, st))
PASS(int, mkdir, (const char *path, mode_t mode), (path, mode))
PASS(int, rmdir, (const char *path), (path))
PASS(int, unlink, (const char *path), (path))
PASS(int, remove, (const char *path), (path))
PASS(int, rename, (const char *from, const char *to), (from, to))
PASS(int, link, (const char *from, const char *to), (from, to))
PASS(int, symlink, (const char *to, const char *path), (to, path))
PASS(int, truncate, (const char *path, off_t n), (path, n))
PASS(int, flock, (int fd, int how), (fd, how))
PASS(int, bind, (int fd, const struct sockaddr *address, socklen_t n), (fd, address, n))
PASS(int, listen, (int fd, int backlog), (fd, backlog))
PASS(ssize_t, tee, (int in, int out, size_t n, unsigned flags), (in, out, n, flags))
PASS(ssize_t, splice, (int in, off64_t *from, int out, off64_t *to, size_t n, unsigned flags),
     (in, from, out, to, n, flags))
