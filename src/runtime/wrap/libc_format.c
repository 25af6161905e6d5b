/*
 * Formatted output: records the strings that a format reads, and the buffer that libc wrote with
 * the format itself.
 * Not handled: the strings of formats with numbered arguments; wide strings; what %n writes; the
 * format of output into streams and descriptors, which hardly ever changes.
 */
#include "runtime/control/ctl.h"
#include "libc_access.h"
#include "runtime/core/public.h"
#include "runtime/core/real.h"
#include "runtime/core/rt.h"
#include "runtime/core/rt_stream.h"
#include "runtime/core/sanitizer.h"
#include "wrap.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

/* ---- strings of a format ---- */

enum length { INT, LONG, LLONG, SIZE, MAX, PTRDIFF };

static const char *skip_digits(const char *f, int *value)
{
	*value = 0;
	while (*f >= '0' && *f <= '9')
		*value = *value * 10 + (*f++ - '0');
	return f;
}

/* A number of the format, or one from the arguments. */
static const char *number(const char *f, va_list *args, int *value)
{
	if (*f == '*') {
		*value = va_arg(*args, int);
		return f + 1;
	}
	return skip_digits(f, value);
}

static const char *length(const char *f, enum length *len)
{
	for (*len = INT;; f++)
		switch (*f) {
		case 'h':
			break;
		case 'l':
			*len = *len == LONG ? LLONG : LONG;
			break;
		case 'q':
		case 'L':
			*len = LLONG;
			break;
		case 'z':
		case 'Z':
			*len = SIZE;
			break;
		case 'j':
			*len = MAX;
			break;
		case 't':
			*len = PTRDIFF;
			break;
		default:
			return f;
		}
}

static void skip_integer(enum length len, va_list *args)
{
	if (len == INT)
		(void)va_arg(*args, int);
	else if (len == LONG)
		(void)va_arg(*args, long);
	else if (len == LLONG)
		(void)va_arg(*args, long long);
	else if (len == MAX)
		(void)va_arg(*args, intmax_t);
	else
		(void)va_arg(*args, ptrdiff_t);
}

/* Skips one conversion; false if the rest of the format cannot be parsed. */
static bool conversion(struct frt_reads *reads, char c, enum length len, int precision,
		       va_list *args)
{
	const char *s;

	switch (c) {
	case '%':
	case 'm':
		return true;
	case 'd':
	case 'i':
	case 'o':
	case 'u':
	case 'x':
	case 'X':
		skip_integer(len, args);
		return true;
	case 'c':
		if (len == LONG)
			(void)va_arg(*args, wint_t);
		else
			(void)va_arg(*args, int);
		return true;
	case 'a':
	case 'A':
	case 'e':
	case 'E':
	case 'f':
	case 'F':
	case 'g':
	case 'G':
		if (len == LLONG)
			(void)va_arg(*args, long double);
		else
			(void)va_arg(*args, double);
		return true;
	case 'p':
	case 'n':
		(void)va_arg(*args, void *);
		return true;
	case 's':
		s = va_arg(*args, const char *);
		if (s && len == INT) {
			size_t n = precision < 0 ? strlen(s) : strnlen(s, (size_t)precision);

			frt_reads(reads, s, precision < 0 || n < (size_t)precision ? n + 1 : n);
		}
		return true;
	default:
		return false;
	}
}

/* Records the strings that a format reads, except for the last of them, which stays in `reads`. */
static void read_strings(struct frt_reads *reads, const char *f, va_list *args)
{
	while ((f = strchr(f, '%'))) {
		int width, precision = -1;
		enum length len;

		f += 1 + strspn(f + 1, "#0- +'I");
		f = number(f, args, &width);
		if (*f == '$')
			return;
		if (*f == '.') {
			f = number(f + 1, args, &precision);
			if (*f == '$')
				return;
		}
		f = length(f, &len);
		if (!*f || !conversion(reads, *f++, len, precision, args))
			return;
	}
}

/* ---- into memory ---- */

/* All calls go to libc's vsnprintf and vsprintf: a program may define one of these functions, and
   libc's snprintf does not call it. A sanitizer must check the buffers first. */
#define FORMAT(name) (frt_sanitizer_there && PUBLIC(name) ? PUBLIC(name) : name)

/* After a formatted write of `r` characters into a buffer of `max` bytes. */
static void formatted(char *to, size_t max, int r, const char *format, va_list *args)
{
	struct frt_reads reads = {0};

	if (!frt_self || r < 0)
		return;
	READ(format, strlen(format) + 1);
	read_strings(&reads, format, args);
	READ(reads.p, reads.n);
	if (max)
		WROTE(to, (size_t)r + 1 < max ? (size_t)r + 1 : max);
}

#define HELD 4096

/* Under control: formats into a private buffer before it writes to `to`. So between
   the two hooks the read has happened and the write has not. With several strings
   this holds for the first one. */
static __attribute__((noinline)) int format_in_steps(char *to, size_t max, const char *format,
						     va_list *args)
{
	char held[HELD];
	struct frt_reads reads = {0};
	va_list again, strings;
	bool fits;
	int r;

	va_copy(again, *args);
	va_copy(strings, *args);
	READ(format, strlen(format) + 1);
	r = FORMAT(vsnprintf)(held, max < HELD ? max : HELD, format, *args);
	fits = r < HELD || max <= HELD;
	if (!fits)
		r = FORMAT(vsnprintf)(to, max < PTRDIFF_MAX ? max : PTRDIFF_MAX, format, again);
	if (r >= 0) {
		size_t n = (size_t)r + 1 < max ? (size_t)r + 1 : max;

		read_strings(&reads, format, &strings);
		READ(reads.p, reads.n);
		frt_assert(!fits || n <= HELD);
		if (fits && n) {
			memcpy(to, held, n);
			to[n - 1] = 0;
		}
		if (max)
			WROTE(to, n);
	}
	va_end(again);
	va_end(strings);
	return r;
}

int frt_libc_vsnprintf(char *restrict to, size_t max, const char *restrict format, va_list args)
{
	va_list copy;
	int r;

	va_copy(copy, args);
	if (frt_controlled() && frt_self) {
		r = format_in_steps(to, max, format, &copy);
		va_end(copy);
		return r;
	}
	r = FORMAT(vsnprintf)(to, max, format, args);
	formatted(to, max, r, format, &copy);
	va_end(copy);
	return r;
}

int frt_libc_vsprintf(char *restrict to, const char *restrict format, va_list args)
{
	va_list copy;
	int r;

	va_copy(copy, args);
	if (frt_controlled() && frt_self) {
		r = format_in_steps(to, SIZE_MAX, format, &copy);
		va_end(copy);
		return r;
	}
	r = FORMAT(vsprintf)(to, format, args);
	formatted(to, SIZE_MAX, r, format, &copy);
	va_end(copy);
	return r;
}

FRT_VARIADIC(frt_libc_snprintf, (char *restrict to, size_t max, const char *restrict format, ...),
	     frt_libc_vsnprintf, to, max, format)
FRT_VARIADIC(frt_libc_sprintf, (char *restrict to, const char *restrict format, ...),
	     frt_libc_vsprintf, to, format)

/* The memory of the result comes from libc's malloc, which reports itself. */
int frt_libc_vasprintf(char **restrict to, const char *restrict format, va_list args)
{
	char *s = NULL;
	va_list copy;
	int r;

	va_copy(copy, args);
	r = PUBLIC(vasprintf)(&s, format, args);
	formatted(s, SIZE_MAX, r, format, &copy);
	va_end(copy);
	if (r >= 0) {
		*to = s;
		WROTE(to, sizeof(*to));
	}
	return r;
}

FRT_VARIADIC(frt_libc_asprintf, (char **restrict to, const char *restrict format, ...),
	     frt_libc_vasprintf, to, format)

/* ---- into streams and descriptors ---- */

/* What `call` prints, it has read right before it gives something to other threads. */
#define PRINTS(call)                                         \
	({                                                   \
		struct frt_reads reads = {0};                \
		va_list copy;                                \
		int printed;                                 \
                                                             \
		va_copy(copy, args);                         \
		if (frt_self)                                \
			read_strings(&reads, format, &copy); \
		va_end(copy);                                \
		frt_reads_end(&reads);                       \
		printed = (call);                            \
		frt_give_end(&reads.g);                      \
		printed;                                     \
	})

int frt_libc_vfprintf(FILE *restrict f, const char *restrict format, va_list args)
{
	frt_stdio_uses(f);
	return PRINTS(frt_stdio_vfprintf(f, format, args));
}

int frt_libc___vfprintf_chk(FILE *restrict f, int flag, const char *restrict format, va_list args)
{
	frt_stdio_uses(f);
	return PRINTS(frt_stdio___vfprintf_chk(f, flag, format, args));
}

int frt_libc_vdprintf(int fd, const char *restrict format, va_list args)
{
	return PRINTS(frt_wrap_vdprintf(fd, format, args));
}

int frt_libc_vprintf(const char *restrict format, va_list args)
{
	return frt_libc_vfprintf(stdout, format, args);
}

FRT_VARIADIC(frt_libc_printf, (const char *restrict format, ...), frt_libc_vfprintf, stdout, format)
FRT_VARIADIC(frt_libc_fprintf, (FILE *restrict f, const char *restrict format, ...),
	     frt_libc_vfprintf, f, format)
FRT_VARIADIC(frt_libc_dprintf, (int fd, const char *restrict format, ...), frt_libc_vdprintf, fd,
	     format)
FRT_VARIADIC(frt_libc___printf_chk, (int flag, const char *restrict format, ...),
	     frt_libc___vfprintf_chk, stdout, flag, format)
FRT_VARIADIC(frt_libc___fprintf_chk, (FILE *restrict f, int flag, const char *restrict format, ...),
	     frt_libc___vfprintf_chk, f, flag, format)
