/*
 * Streams of stdio: text that is printed into a FILE reaches its descriptor at some later call. So
 * each call that may write releases the key of the descriptor, and each that may read acquires it.
 * flockfile and funlockfile order threads by the FILE. Each call first reads the FILE itself, so
 * that a FILE which another thread closed is used after its free.
 *
 * Decided:   standard output and error impose no order and are no hooks, unless the program
 *            redirected their descriptors (dup2, close). So printing does not order threads, and
 *            costs nothing.
 * Not seen:  in static programs, calls that the pass does not redirect (single characters,
 *            flockfile); putc_unlocked and the like, which compile to
 *            no call; wide characters; the locks that stdio itself takes for a call, which protect
 *            no memory of the program.
 */
#include "runtime/core/rt_input.h"
#include "runtime/core/kernel.h"
#include "runtime/core/rt_stream.h"
#include "wrap.h"
#include <stdatomic.h>

static _Atomic bool redirected;

void frt_stdio_redirects(int fd)
{
	if (fd >= 0 && fd <= 2)
		atomic_store_explicit(&redirected, true, memory_order_relaxed);
}

/* True if this stream is known to lead out of the program. */
static bool plain(const FILE *f)
{
	return (f == stdout || f == stderr || f == stdin) &&
	       !atomic_load_explicit(&redirected, memory_order_relaxed);
}

void frt_stdio_uses(const FILE *f)
{
	struct frt_thread *t = frt_asking();

	if (t && !plain(f))
		frt_range(t, false, f, sizeof(f->_flags), frt_call_site(t));
}

static void puts_into(struct frt_give *g, FILE *f)
{
	*g = (struct frt_give){0};
	if (plain(f))
		return;
	frt_give_begin(g);
	if (g->t)
		frt_give(g, frt_key_out(f->_fileno, NULL, 0));
}

static void got_from(FILE *f)
{
	struct frt_thread *t = frt_asking();

	if (t && !plain(f))
		frt_take(t, frt_key_in(f->_fileno));
}

/* ---- output ---- */

#define PUT(ret, name, params, args)    \
	static ret put_##name params    \
	{                               \
		struct frt_give g;      \
		ret r;                  \
                                        \
		puts_into(&g, f);       \
		r = REAL(name) args;    \
		frt_give_end(&g);       \
		return r;               \
	}                               \
	ret frt_wrap_##name params      \
	{                               \
		frt_stdio_uses(f);      \
		return put_##name args; \
	}

PUT(size_t, fwrite, (const void *restrict from, size_t size, size_t n, FILE *restrict f),
    (from, size, n, f))
PUT(int, fputs, (const char *restrict s, FILE *restrict f), (s, f))
PUT(int, fputc, (int c, FILE *f), (c, f))
PUT(int, putc, (int c, FILE *f), (c, f))
PUT(int, vfprintf, (FILE *restrict f, const char *restrict format, va_list args), (f, format, args))
PUT(int, __vfprintf_chk, (FILE *restrict f, int flag, const char *restrict format, va_list args),
    (f, flag, format, args))

size_t frt_stdio_fwrite(const void *restrict from, size_t size, size_t n, FILE *restrict f)
{
	return put_fwrite(from, size, n, f);
}

int frt_stdio_fputs(const char *restrict s, FILE *restrict f)
{
	return put_fputs(s, f);
}

int frt_stdio_vfprintf(FILE *restrict f, const char *restrict format, va_list args)
{
	return put_vfprintf(f, format, args);
}

int frt_stdio___vfprintf_chk(FILE *restrict f, int flag, const char *restrict format, va_list args)
{
	return put___vfprintf_chk(f, flag, format, args);
}

FRT_VARIADIC(frt_wrap_fprintf, (FILE *restrict f, const char *restrict format, ...),
	     frt_wrap_vfprintf, f, format)
FRT_VARIADIC(frt_wrap___fprintf_chk, (FILE *restrict f, int flag, const char *restrict format, ...),
	     frt_wrap___vfprintf_chk, f, flag, format)

int frt_wrap_puts(const char *s)
{
	struct frt_give g;
	int r;

	puts_into(&g, stdout);
	r = REAL(puts)(s);
	frt_give_end(&g);
	return r;
}

int frt_wrap_putchar(int c)
{
	return frt_wrap_putc(c, stdout);
}

int frt_wrap_vprintf(const char *restrict format, va_list args)
{
	return frt_wrap_vfprintf(stdout, format, args);
}

FRT_VARIADIC(frt_wrap_printf, (const char *restrict format, ...), frt_wrap_vfprintf, stdout, format)
FRT_VARIADIC(frt_wrap___printf_chk, (int flag, const char *restrict format, ...),
	     frt_wrap___vfprintf_chk, stdout, flag, format)

int frt_wrap_vdprintf(int fd, const char *restrict format, va_list args)
{
	struct frt_give g;
	int r;

	frt_give_begin(&g);
	frt_give(&g, frt_key_out(fd, NULL, 0));
	r = REAL(vdprintf)(fd, format, args);
	frt_give_end(&g);
	return r;
}

FRT_VARIADIC(frt_wrap_dprintf, (int fd, const char *restrict format, ...), frt_wrap_vdprintf, fd,
	     format)

/* NULL: all streams. Earlier writes to them have released already. */
int frt_wrap_fflush(FILE *f)
{
	struct frt_give g = {0};
	int r;

	if (f) {
		frt_stdio_uses(f);
		puts_into(&g, f);
	}
	r = REAL(fflush)(f);
	frt_give_end(&g);
	return r;
}

int frt_wrap_fclose(FILE *f)
{
	struct frt_give g;
	int r;

	puts_into(&g, f);
	frt_stdio_redirects(f->_fileno);
	r = REAL(fclose)(f);
	frt_give_end(&g);
	return r;
}

FILE *frt_wrap_freopen(const char *restrict path, const char *restrict mode, FILE *restrict f)
{
	frt_stdio_redirects(f->_fileno);
	return REAL(freopen)(path, mode, f);
}

/* ---- input ---- */

#define GET(ret, name, params, args) \
	ret frt_wrap_##name params   \
	{                            \
		ret r;               \
                                     \
		frt_stdio_uses(f);   \
		r = REAL(name) args; \
		got_from(f);         \
		return r;            \
	}

GET(char *, fgets, (char *restrict to, int n, FILE *restrict f), (to, n, f))
GET(size_t, fread, (void *restrict to, size_t size, size_t n, FILE *restrict f), (to, size, n, f))
GET(int, fgetc, (FILE * f), (f))
GET(int, getc, (FILE * f), (f))
GET(ssize_t, getline, (char **restrict to, size_t *restrict n, FILE *restrict f), (to, n, f))
GET(ssize_t, getdelim, (char **restrict to, size_t *restrict n, int end, FILE *restrict f),
    (to, n, end, f))
GET(int, vfscanf, (FILE *restrict f, const char *restrict format, va_list args), (f, format, args))
GET(int, __isoc99_vfscanf, (FILE *restrict f, const char *restrict format, va_list args),
    (f, format, args))

FRT_VARIADIC(frt_wrap_fscanf, (FILE *restrict f, const char *restrict format, ...),
	     frt_wrap_vfscanf, f, format)
FRT_VARIADIC(frt_wrap___isoc99_fscanf, (FILE *restrict f, const char *restrict format, ...),
	     frt_wrap___isoc99_vfscanf, f, format)

/* ---- locks of streams ---- */

static uint64_t lock_of(const FILE *f)
{
	return frt_key(FRT_KEY_STREAM, (uintptr_t)f, 0);
}

static void locked(const FILE *f, bool is)
{
	struct frt_thread *t = frt_asking();

	if (t)
		frt_take(t, is ? lock_of(f) : FRT_KEY_NONE);
}

void frt_wrap_flockfile(FILE *f)
{
	frt_stdio_uses(f);
	REAL(flockfile)(f);
	locked(f, true);
}

int frt_wrap_ftrylockfile(FILE *f)
{
	int r = REAL(ftrylockfile)(f);

	locked(f, r == 0);
	return r;
}

void frt_wrap_funlockfile(FILE *f)
{
	struct frt_give g;

	frt_stdio_uses(f);
	frt_give_begin(&g);
	frt_give(&g, lock_of(f));
	REAL(funlockfile)(f);
	frt_give_end(&g);
}

/* ---- descriptors under other numbers ---- */

static int duplicated(int from, int to, int r)
{
	if (r == to)
		frt_key_copied(from, to);
	return r;
}

/* Closes the descriptor that `to` named. */
int frt_wrap_dup2(int from, int to)
{
	struct frt_give g;
	int r;

	frt_stdio_redirects(to);
	frt_give_begin(&g);
	frt_give(&g, frt_key_out(to, NULL, 0));
	r = duplicated(from, to, REAL(dup2)(from, to));
	frt_give_end(&g);
	return r;
}

int frt_wrap_dup3(int from, int to, int flags)
{
	struct frt_give g;
	int r;

	frt_stdio_redirects(to);
	frt_give_begin(&g);
	frt_give(&g, frt_key_out(to, NULL, 0));
	r = duplicated(from, to, REAL(dup3)(from, to, flags));
	frt_give_end(&g);
	return r;
}
