/*
 * Formatted input: records the text that libc read, the format, and the objects that it wrote. libc
 * writes into buffers of the runtime, from which each object is then written on its own. So between
 * the hooks of two objects the first one has its new value and the second one has not.
 * Not handled: formats with numbered arguments, wide strings or more than 16 objects: only the
 * format and the text are recorded; the functions that programs in C89 call.
 */
#include "libc_access.h"
#include "runtime/core/public.h"
#include "runtime/core/real.h"
#include "runtime/core/rt.h"
#include "runtime/core/rt_input.h"
#include "runtime/core/rt_stream.h"
#include "runtime/core/sanitizer.h"
#include "wrap.h"
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define MOST 16
#define HELD 4096
#define NOT_WRITTEN 0xff /* no number of characters, if it has more than one byte */

struct target {
	void *to;
	char *held;	 /* libc writes here; NULL: directly to the object */
	size_t size;	 /* 0: a string */
	bool allocated;	 /* libc writes the address of a new string */
	unsigned before; /* number of assignments before it that the result counts */
	bool counts;	 /* the result counts it; not so %n */
};

struct scan {
	struct target target[MOST];
	unsigned n;
	size_t used; /* of `room` */
	_Alignas(16) char room[HELD];
};

struct conversion {
	char kind;
	bool suppressed, allocates;
	size_t width; /* 0: none */
	size_t size;  /* of an integer */
	bool wide;
	bool large; /* L */
};

static const char *parse_length(const char *f, struct conversion *c)
{
	for (c->size = sizeof(int);; f++)
		switch (*f) {
		case 'm':
			c->allocates = true;
			break;
		case 'h':
			c->size = c->size == sizeof(short) ? 1 : sizeof(short);
			break;
		case 'L':
		case 'q':
			c->large = true;
			c->size = sizeof(long long);
			break;
		case 'l':
			c->wide = true;
			c->size = sizeof(long);
			break;
		case 'z':
		case 'j':
		case 't':
			c->size = sizeof(size_t);
			break;
		default:
			return f;
		}
}

/* Parses the conversion after a %. Returns its end; NULL if it has a numbered argument or is
   incomplete. */
static const char *parse(const char *f, struct conversion *c)
{
	*c = (struct conversion){0};
	for (; *f == '*' || *f == '\'' || *f == 'I'; f++)
		c->suppressed |= *f == '*';
	for (; *f >= '0' && *f <= '9'; f++)
		c->width = c->width < INT_MAX / 10 ? c->width * 10 + (size_t)(*f - '0') : INT_MAX;
	if (*f == '$')
		return NULL;
	f = parse_length(f, c);
	c->kind = *f;
	if (*f == '[') {
		f += f[1] == '^' ? 2 : 1;
		f += *f == ']';
		f = strchr(f, ']');
	}
	return f && *f ? f + 1 : NULL;
}

/* Returns the size of the object that a conversion writes; 0 for a string. */
static size_t size_of(const struct conversion *c)
{
	if (c->allocates)
		return sizeof(char *);
	switch (c->kind) {
	case 's':
	case '[':
		return 0;
	case 'c':
		return c->width ? c->width : 1;
	case 'p':
		return sizeof(void *);
	case 'd':
	case 'i':
	case 'o':
	case 'u':
	case 'x':
	case 'X':
	case 'n':
		return c->size;
	default: /* 80 bits: libc does not write the padding of a long double */
		return c->large ? 10 : c->wide ? sizeof(double) : sizeof(float);
	}
}

static bool is_text(const struct conversion *c)
{
	return c->kind == 's' || c->kind == '[' || c->kind == 'c';
}

/* Gives libc a buffer for an object, if there is room. A string has at most `longest` characters.
   libc may write a part of several characters and fail. A sanitizer checks the object itself. */
static void hold(struct scan *x, struct target *t, const struct conversion *c, size_t longest)
{
	size_t most = t->size ? 0 : c->width && c->width < longest ? c->width : longest;
	size_t need = ((t->size ? t->size : most < HELD ? most + 1 : HELD) + 15) & ~(size_t)15;

	if (frt_sanitizer_there || most >= HELD || need > HELD - x->used ||
	    (c->kind == 'c' && c->width > 1) || (c->kind == 'n' && c->size == 1))
		return;
	t->held = x->room + x->used;
	x->used += need;
	frt_assert(x->used <= HELD && need >= t->size);
	if (c->kind == 'n')
		memset(t->held, NOT_WRITTEN, t->size);
}

/* Lists the objects. Returns false if they are unknown. */
static bool list(struct scan *x, const char *f, va_list *args, size_t longest)
{
	unsigned assigned = 0;

	x->n = 0;
	x->used = 0;
	for (; *f; f++) {
		struct conversion c;
		struct target *t = &x->target[x->n];

		if (*f != '%')
			continue;
		f = parse(f + 1, &c);
		if (!f)
			return false;
		f--; /* the loop goes on behind it */
		if (c.kind == '%' || c.suppressed)
			continue;
		if (x->n == MOST || (c.wide && is_text(&c)) || c.kind == 'S' || c.kind == 'C')
			return false;
		*t = (struct target){.to = va_arg(*args, void *),
				     .size = size_of(&c),
				     .allocated = c.allocates,
				     .before = assigned,
				     .counts = c.kind != 'n'};
		hold(x, t, &c, longest);
		assigned += t->counts;
		x->n++;
	}
	return true;
}

/* After a call that returned r. */
static bool is_written(const struct target *t, int r)
{
	unsigned char none[sizeof(long)];

	if (t->counts || !t->held)
		return r > 0 && t->before < (unsigned)r;
	frt_assert(t->size <= sizeof(none));
	memset(none, NOT_WRITTEN, sizeof(none));
	return memcmp(t->held, none, t->size);
}

static const char *bytes_of(const struct target *t, size_t *n)
{
	const char *p = t->held ? t->held : t->to;

	*n = t->size ? t->size : strlen(p) + 1;
	return p;
}

static uint64_t hash_of(const struct scan *x, int r)
{
	uint64_t hash = 0;

	for (unsigned i = 0; i < x->n; i++)
		if (is_written(&x->target[i], r) && !x->target[i].allocated) {
			size_t n;
			const char *p = bytes_of(&x->target[i], &n);

			hash = fr_hash(hash, p, n);
		}
	return hash;
}

/* Writes the objects as the program sees it. */
static void write_objects(const struct scan *x, int r)
{
	for (unsigned i = 0; i < x->n; i++) {
		const struct target *t = &x->target[i];
		const char *p, *new = NULL;
		size_t n;

		if (!is_written(t, r))
			continue;
		p = bytes_of(t, &n);
		frt_assert(!t->allocated || n == sizeof(new));
		if (t->allocated)
			memcpy(&new, p, sizeof(new));
		if (new)
			WROTE(new, strlen(new) + 1);
		if (t->held)
			memcpy(t->to, p, n);
		WROTE(t->to, n);
	}
}

/* Where libc writes object i. */
static void *place(const struct scan *x, unsigned i)
{
	return i >= x->n ? NULL : x->target[i].held ? x->target[i].held : x->target[i].to;
}

_Static_assert(MOST == 16, "PLACES has that number");
#define PLACES(x)                                                                                  \
	place(x, 0), place(x, 1), place(x, 2), place(x, 3), place(x, 4), place(x, 5), place(x, 6), \
	    place(x, 7), place(x, 8), place(x, 9), place(x, 10), place(x, 11), place(x, 12),       \
	    place(x, 13), place(x, 14), place(x, 15)

/* ---- calls ---- */

int frt_libc___isoc99_vsscanf(const char *restrict s, const char *restrict format, va_list args)
{
	size_t n = frt_self ? strlen(s) : 0;
	struct scan x;
	va_list copy;
	int r;

	va_copy(copy, args);
	if (frt_self && list(&x, format, &copy, n)) {
		r = PUBLIC(__isoc99_sscanf)(s, format, PLACES(&x));
	} else {
		r = PUBLIC(__isoc99_vsscanf)(s, format, args);
		x.n = 0;
	}
	va_end(copy);
	READ(format, strlen(format) + 1);
	READ(s, n + 1);
	write_objects(&x, r);
	return r;
}

int frt_libc___isoc99_vfscanf(FILE *restrict f, const char *restrict format, va_list args)
{
	struct scan x;
	va_list copy;
	int r;

	va_copy(copy, args);
	if (frt_self && list(&x, format, &copy, SIZE_MAX)) {
		r = frt_wrap___isoc99_fscanf(f, format, PLACES(&x));
	} else {
		r = frt_wrap___isoc99_vfscanf(f, format, args);
		x.n = 0;
	}
	va_end(copy);
	READ(format, strlen(format) + 1);
	if (frt_self)
		frt_input_read(frt_self, -1, r, hash_of(&x, r));
	write_objects(&x, r);
	return r;
}

int frt_libc___isoc99_vscanf(const char *restrict format, va_list args)
{
	return frt_libc___isoc99_vfscanf(stdin, format, args);
}

FRT_VARIADIC(frt_libc___isoc99_sscanf, (const char *restrict s, const char *restrict format, ...),
	     frt_libc___isoc99_vsscanf, s, format)
FRT_VARIADIC(frt_libc___isoc99_fscanf, (FILE *restrict f, const char *restrict format, ...),
	     frt_libc___isoc99_vfscanf, f, format)
FRT_VARIADIC(frt_libc___isoc99_scanf, (const char *restrict format, ...), frt_libc___isoc99_vfscanf,
	     stdin, format)
