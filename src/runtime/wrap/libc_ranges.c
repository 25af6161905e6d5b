/*
 * Strings and blocks of memory in libc: records the ranges that a call read and wrote.
 *
 * The pass redirects the program's calls of NAME to frt_libc_NAME. That calls the real function and
 * then records the exact ranges, up to and including the byte that ended them. It measures lengths
 * again after the call. If another thread changes the text meanwhile, the recorded lengths are
 * those of the changed text. The result of the call never changes.
 *
 * Under control, a function that copies a string does it in two steps with a private buffer. So
 * between its two hooks the read has happened and the write has not.
 * Not handled: texts longer than HELD, comparisons, and copies that the compiler makes itself,
 * where everything happens before the first hook.
 */
#include "runtime/control/ctl.h"
#include "format/hook_abi.h"
#include "runtime/core/public.h"
#include "runtime/core/rt.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <ctype.h>
#include <errno.h>

#define READ(p, n) range(false, p, n)
#define WROTE(p, n) range(true, p, n)

static inline void range(bool write, const void *p, size_t n)
{
	struct frt_thread *t = frt_self;

	if (t && n)
		frt_range(t, write, p, n, frt_call_site(t));
}

void *frt_libc_memcpy(void *restrict to, const void *restrict from, size_t n)
{
	void *r = PUBLIC(memcpy)(to, from, n);

	READ(from, n);
	WROTE(to, n);
	return r;
}

void *frt_libc_mempcpy(void *restrict to, const void *restrict from, size_t n)
{
	void *r = PUBLIC(mempcpy)(to, from, n);

	READ(from, n);
	WROTE(to, n);
	return r;
}

void *frt_libc_memmove(void *to, const void *from, size_t n)
{
	void *r = PUBLIC(memmove)(to, from, n);

	READ(from, n);
	WROTE(to, n);
	return r;
}

void *frt_libc_memset(void *to, int c, size_t n)
{
	void *r = PUBLIC(memset)(to, c, n);

	WROTE(to, n);
	return r;
}

/* ---- comparing ---- */

static size_t common(const unsigned char *a, const unsigned char *b, size_t n)
{
	size_t i = 0;

	while (i < n && a[i] == b[i])
		i++;
	return i < n ? i + 1 : n;
}

static void read_common(const void *a, const void *b, size_t n)
{
	if (frt_self) {
		size_t len = common(a, b, n);

		READ(a, len);
		READ(b, len);
	}
}

int frt_libc_memcmp(const void *a, const void *b, size_t n)
{
	int r = PUBLIC(memcmp)(a, b, n);

	read_common(a, b, n);
	return r;
}

int frt_libc_bcmp(const void *a, const void *b, size_t n)
{
	int r = PUBLIC(bcmp)(a, b, n);

	read_common(a, b, n);
	return r;
}

/* Number of bytes that a comparison reads of each string: up to the first difference or the end. */
static size_t compared(const char *a, const char *b, size_t n, bool fold)
{
	for (size_t i = 0; i < n; i++) {
		int x = (unsigned char)a[i], y = (unsigned char)b[i];

		if (!x || (fold ? tolower(x) != tolower(y) : x != y))
			return i + 1;
	}
	return n;
}

static void read_both(const char *a, const char *b, size_t n, bool fold)
{
	size_t len;

	if (!frt_self)
		return;
	len = compared(a, b, n, fold);
	READ(a, len);
	READ(b, len);
}

int frt_libc_strcmp(const char *a, const char *b)
{
	int r = PUBLIC(strcmp)(a, b);

	read_both(a, b, SIZE_MAX, false);
	return r;
}

int frt_libc_strncmp(const char *a, const char *b, size_t n)
{
	int r = PUBLIC(strncmp)(a, b, n);

	read_both(a, b, n, false);
	return r;
}

int frt_libc_strcasecmp(const char *a, const char *b)
{
	int r = PUBLIC(strcasecmp)(a, b);

	read_both(a, b, SIZE_MAX, true);
	return r;
}

int frt_libc_strncasecmp(const char *a, const char *b, size_t n)
{
	int r = PUBLIC(strncasecmp)(a, b, n);

	read_both(a, b, n, true);
	return r;
}

/* ---- searching ---- */

void *frt_libc_memchr(const void *s, int c, size_t n)
{
	char *r = PUBLIC(memchr)(s, c, n);

	READ(s, r ? (size_t)(r - (const char *)s) + 1 : n);
	return r;
}

size_t frt_libc_strlen(const char *s)
{
	size_t n = PUBLIC(strlen)(s);

	READ(s, n + 1);
	return n;
}

size_t frt_libc_strnlen(const char *s, size_t max)
{
	size_t n = PUBLIC(strnlen)(s, max);

	READ(s, n < max ? n + 1 : max);
	return n;
}

char *frt_libc_strchr(const char *s, int c)
{
	char *r = PUBLIC(strchr)(s, c);

	if (frt_self)
		READ(s, (r ? (size_t)(r - s) : strlen(s)) + 1);
	return r;
}

char *frt_libc_strrchr(const char *s, int c)
{
	char *r = PUBLIC(strrchr)(s, c);

	if (frt_self)
		READ(s, strlen(s) + 1);
	return r;
}

char *frt_libc_strstr(const char *s, const char *what)
{
	char *r = PUBLIC(strstr)(s, what);

	if (frt_self) {
		size_t n = strlen(what);

		READ(what, n + 1);
		READ(s, r ? (size_t)(r - s) + n : strlen(s) + 1);
	}
	return r;
}

/* ---- copying strings ---- */

/* The runtime's own strlen: a sanitizer must report the program's call, not this one. */
static inline size_t length(const char *s)
{
	return strlen(s);
}

#define HELD 4096

static inline bool in_steps(size_t n)
{
	return frt_controlled() && frt_self && n <= HELD;
}

/* Defined if the program has its own function (src/pass/own_libc_name.c). Then that one
   copies, under control too. */
#define PROGRAM_HAS(n) extern const char frt_has_##n[] __attribute__((weak));
PROGRAM_HAS(strcpy)
PROGRAM_HAS(stpcpy)
PROGRAM_HAS(strncpy)
PROGRAM_HAS(strcat)
PROGRAM_HAS(strncat)
#undef PROGRAM_HAS

/* Reads `nread` bytes, then writes `n`: those bytes, then zeros. */
static __attribute__((noinline)) void copy_in_steps(char *to, size_t n, const char *from,
						    size_t nread)
{
	char held[HELD];

	memcpy(held, from, nread);
	READ(from, nread);
	memcpy(to, held, nread);
	memset(to + nread, 0, n - nread);
	WROTE(to, n);
}

char *frt_libc_strcpy(char *restrict to, const char *restrict from)
{
	if (!frt_has_strcpy && in_steps(0) && in_steps(length(from) + 1)) {
		size_t n = length(from) + 1;

		copy_in_steps(to, n, from, n);
		return to;
	}
	PUBLIC(strcpy)(to, from);
	if (frt_self) {
		size_t n = length(to) + 1;

		READ(from, n);
		WROTE(to, n);
	}
	return to;
}

char *frt_libc_stpcpy(char *restrict to, const char *restrict from)
{
	char *end;

	if (!frt_has_stpcpy && in_steps(0) && in_steps(length(from) + 1)) {
		size_t n = length(from) + 1;

		copy_in_steps(to, n, from, n);
		return to + n - 1;
	}
	end = PUBLIC(stpcpy)(to, from);
	READ(from, (size_t)(end - to) + 1);
	WROTE(to, (size_t)(end - to) + 1);
	return end;
}

char *frt_libc_strncpy(char *restrict to, const char *restrict from, size_t n)
{
	size_t len = frt_self ? strnlen(from, n) : 0;

	if (!frt_has_strncpy && n && in_steps(n)) {
		copy_in_steps(to, n, from, len < n ? len + 1 : n);
		return to;
	}
	PUBLIC(strncpy)(to, from, n);
	READ(from, len < n ? len + 1 : n);
	WROTE(to, n);
	return to;
}

static void appended(char *to, size_t had, const char *from, size_t max)
{
	size_t n = length(to) - had;

	READ(to, had + 1);
	READ(from, n < max ? n + 1 : max);
	WROTE(to + had, n + 1);
}

/* n: length of the appended text, at most max. */
static __attribute__((noinline)) void append_in_steps(char *to, size_t had, const char *from,
						      size_t n, size_t max)
{
	char held[HELD];

	READ(to, had + 1);
	memcpy(held, from, n);
	READ(from, n < max ? n + 1 : max);
	memcpy(to + had, held, n);
	to[had + n] = 0;
	WROTE(to + had, n + 1);
}

char *frt_libc_strcat(char *restrict to, const char *restrict from)
{
	size_t had = frt_self ? length(to) : 0;

	if (!frt_has_strcat && in_steps(0) && in_steps(length(from))) {
		append_in_steps(to, had, from, length(from), SIZE_MAX);
		return to;
	}
	PUBLIC(strcat)(to, from);
	if (frt_self)
		appended(to, had, from, SIZE_MAX);
	return to;
}

char *frt_libc_strncat(char *restrict to, const char *restrict from, size_t max)
{
	size_t had = frt_self ? length(to) : 0;

	if (!frt_has_strncat && in_steps(0) && in_steps(strnlen(from, max))) {
		append_in_steps(to, had, from, strnlen(from, max), max);
		return to;
	}
	PUBLIC(strncat)(to, from, max);
	if (frt_self)
		appended(to, had, from, max);
	return to;
}

char *frt_libc_strdup(const char *s)
{
	char *r = PUBLIC(strdup)(s);

	if (r && frt_self) {
		size_t n = strlen(r) + 1;

		READ(s, n);
		WROTE(r, n);
	}
	return r;
}

char *frt_libc_strndup(const char *s, size_t max)
{
	char *r = PUBLIC(strndup)(s, max);

	if (r && frt_self) {
		size_t n = strlen(r);

		READ(s, n < max ? n + 1 : max);
		WROTE(r, n + 1);
	}
	return r;
}

/* ---- numbers: read up to and including the byte that is not part of the number ---- */

static void read_number(const char *s, char *last, char **end)
{
	if (!last) /* invalid base */
		return;
	READ(s, (size_t)(last - s) + 1);
	if (end) {
		*end = last;
		WROTE(end, sizeof(*end));
	}
}

#define NUMBER(type, name)                                                          \
	type frt_libc_##name(const char *restrict s, char **restrict end, int base) \
	{                                                                           \
		char *last = NULL;                                                  \
		type r = PUBLIC(name)(s, &last, base);                              \
                                                                                    \
		read_number(s, last, end);                                          \
		return r;                                                           \
	}

NUMBER(long, strtol)
NUMBER(unsigned long, strtoul)
NUMBER(long long, strtoll)
NUMBER(unsigned long long, strtoull)

/* The same for a decimal number of which only the value is known. */
static void read_decimal(const char *s)
{
	const char *p = s;

	if (!frt_self)
		return;
	p += strspn(p, " \t\n\v\f\r");
	p += *p == '-' || *p == '+';
	p += strspn(p, "0123456789");
	READ(s, (size_t)(p - s) + 1);
}

int frt_libc_atoi(const char *s)
{
	int r = PUBLIC(atoi)(s);

	read_decimal(s);
	return r;
}

long frt_libc_atol(const char *s)
{
	long r = PUBLIC(atol)(s);

	read_decimal(s);
	return r;
}

/* ---- sorting: the comparisons record their own reads; the moves are recorded here ---- */

void frt_libc_qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *))
{
	PUBLIC(qsort)(base, n, size, compare);
	READ(base, n * size);
	WROTE(base, n * size);
}
