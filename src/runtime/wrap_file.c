/*
 * What the program asks of files by name, and makes of them: is it there, of which kind, how long.
 * It is done, and told; under a schedule it is done again, and compared: a file that the recorded
 * run has made, changed or removed is the reason why many a program cannot be run twice.
 * Not seen: static programs; directories that are listed; links that are read; whether fopen makes
 * a file or finds one.
 */
#include "input.h"
#include "wrap.h"
#include <stdarg.h>

static void tell(bool failed, uint64_t what)
{
	struct frt_thread *t = frt_asking();

	if (t)
		frt_input_result(t, FR_INPUT_FILE, failed ? -1 : 0, what);
}

static int told(int r)
{
	tell(r < 0, 0);
	return r;
}

static int told_kind(int r, unsigned mode, int64_t size)
{
	uint64_t x[2] = {mode & S_IFMT, S_ISREG(mode) ? (uint64_t)size : 0};

	tell(r < 0, r < 0 ? 0 : fr_hash(0, x, sizeof(x)) >> 16);
	return r;
}

/* ---- opened ---- */

static mode_t mode_of(int flags, va_list ap)
{
	return flags & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY)) ? va_arg(ap, mode_t) : 0;
}

#define OPEN(name, params, args, last)        \
	int frt_wrap_##name params            \
	{                                     \
		mode_t mode;                  \
		va_list ap;                   \
                                              \
		va_start(ap, last);           \
		mode = mode_of(last, ap);     \
		va_end(ap);                   \
		return told(REAL(name) args); \
	}

OPEN(open, (const char *path, int flags, ...), (path, flags, mode), flags)
OPEN(open64, (const char *path, int flags, ...), (path, flags, mode), flags)
OPEN(openat, (int dir, const char *path, int flags, ...), (dir, path, flags, mode), flags)
OPEN(openat64, (int dir, const char *path, int flags, ...), (dir, path, flags, mode), flags)

/* Opening allocates: what there is to be told is told before, so that it has the same place. */
static void tell_there(const char *path)
{
	int saved = errno;

	if (frt_asking())
		told(REAL(access)(path, F_OK));
	errno = saved;
}

#define STREAM(type, name, params, args, reads) \
	type *frt_wrap_##name params            \
	{                                       \
		if (reads)                      \
			tell_there(path);       \
		return REAL(name) args;         \
	}

STREAM(FILE, fopen, (const char *path, const char *mode), (path, mode), *mode == 'r')
STREAM(FILE, fopen64, (const char *path, const char *mode), (path, mode), *mode == 'r')
STREAM(DIR, opendir, (const char *path), (path), true)

/* ---- looked at ---- */

#define LOOK(name, params, args)                                                                \
	int frt_wrap_##name params                                                              \
	{                                                                                       \
		int r = REAL(name) args;                                                        \
                                                                                                \
		return told_kind(r, r < 0 ? 0 : st->st_mode, r < 0 ? 0 : (int64_t)st->st_size); \
	}

LOOK(stat, (const char *path, struct stat *st), (path, st))
LOOK(stat64, (const char *path, struct stat64 *st), (path, st))
LOOK(lstat, (const char *path, struct stat *st), (path, st))
LOOK(lstat64, (const char *path, struct stat64 *st), (path, st))
LOOK(fstat, (int fd, struct stat *st), (fd, st))
LOOK(fstat64, (int fd, struct stat64 *st), (fd, st))
LOOK(fstatat, (int dir, const char *path, struct stat *st, int flags), (dir, path, st, flags))
LOOK(fstatat64, (int dir, const char *path, struct stat64 *st, int flags), (dir, path, st, flags))

/* ---- there, or made so ---- */

#define DO(name, params, args)                \
	int frt_wrap_##name params            \
	{                                     \
		return told(REAL(name) args); \
	}

DO(creat, (const char *path, mode_t mode), (path, mode))
DO(creat64, (const char *path, mode_t mode), (path, mode))
DO(access, (const char *path, int how), (path, how))
DO(faccessat, (int dir, const char *path, int how, int flags), (dir, path, how, flags))
DO(mkdir, (const char *path, mode_t mode), (path, mode))
DO(mkdirat, (int dir, const char *path, mode_t mode), (dir, path, mode))
DO(rmdir, (const char *path), (path))
DO(unlink, (const char *path), (path))
DO(unlinkat, (int dir, const char *path, int flags), (dir, path, flags))
DO(remove, (const char *path), (path))
DO(rename, (const char *from, const char *to), (from, to))
DO(link, (const char *from, const char *to), (from, to))
DO(symlink, (const char *to, const char *path), (to, path))
