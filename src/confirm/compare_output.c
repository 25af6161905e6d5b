/*
 * Compares and searches program output. Threads may print in any order, so the same lines in
 * another order are no harm. Neither are other addresses, as %p, %lx or %lu prints them.
 */
#include "confirm/judge.h"
#include "base/assert.h"
#include "base/lines.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Without address randomisation, addresses have this number of hexadecimal digits, and begin with 5
   (the program, its heap) or 7 (libraries, stacks). */
#define DIGITS 12
#define DECIMAL 15 /* decimal digits of the largest address */
#define END_OF_INPUT '\4'

static int by_text(const void *pa, const void *pb)
{
	const struct fr_line *a = pa, *b = pb;
	int r = memcmp(a->s, b->s, fr_min(a->n, b->n));

	return r ? r : (a->n > b->n) - (a->n < b->n);
}

static enum fr_differ compare(const char *a, size_t na, const char *b, size_t nb,
			      uint64_t *ret_line)
{
	enum fr_differ d = FR_OTHER_ORDER;
	fr_line_vec x = {0}, y = {0};
	size_t i = 0;

	if (na == nb && (!na || !memcmp(a, b, na)))
		return FR_SAME;
	fr_lines_split(a, na, &x);
	fr_lines_split(b, nb, &y);
	while (i < x.n && i < y.n && !by_text(&x.v[i], &y.v[i]))
		i++;
	*ret_line = i + 1;
	if (x.n != y.n)
		d = FR_DIFFERENT;
	if (x.n)
		qsort(x.v, x.n, sizeof(*x.v), by_text);
	if (y.n)
		qsort(y.v, y.n, sizeof(*y.v), by_text);
	for (i = 0; d == FR_OTHER_ORDER && i < x.n; i++)
		if (by_text(&x.v[i], &y.v[i]))
			d = FR_DIFFERENT;
	fr_vec_free(&x);
	fr_vec_free(&y);
	return d;
}

/* Is a word an address? With 0x: DIGITS hexadecimal digits, the first a 5 or a 7. Without 0x a word
   may be another number, so its upper bits must be those of the program and its heap (0x5555) or of
   libraries and stacks (0x7fff). Many programs print pthread_self() like this. */
static bool is_address(const char *s, size_t n)
{
	bool marked = n > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
	char text[DECIMAL + 1], *end;
	unsigned long value;

	if (marked) {
		s += 2;
		n -= 2;
	}
	if (n < DIGITS || n > DECIMAL)
		return false;
	memcpy(text, s, n);
	text[n] = 0;
	value = strtoul(text, &end, n == DIGITS ? 16 : 10);
	if (*end || (marked && n != DIGITS))
		return false;
	return marked ? *text == '5' || *text == '7'
		      : value >> 32 == 0x5555 || value >> 32 == 0x7fff;
}

/* Returns the number of letters and digits up to the next 0x. */
static size_t word_at(const char *s, size_t n)
{
	size_t k = 0;

	while (k < n && isalnum((unsigned char)s[k]) &&
	       !(k && k + 1 < n && s[k] == '0' && s[k + 1] == 'x'))
		k++;
	return k;
}

char *fr_output_without_addresses(const char *s, size_t n, size_t *ret_n)
{
	char *r = fr_xmalloc(n + 1);
	size_t k = 0;

	for (size_t i = 0, word; i < n; i += word) {
		word = word_at(s + i, n - i);
		if (is_address(s + i, word)) {
			r[k++] = '@';
			continue;
		}
		word = word ? word : 1;
		memcpy(r + k, s + i, word);
		k += word;
	}
	fr_assert(k <= n);
	*ret_n = k;
	return r;
}

/* Writes a terminal's echo of this input: control characters as ^X, end of input as nothing. */
static void echo_of(const char *s, size_t n, struct fr_buf *ret)
{
	ret->n = 0;
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c >= ' ' || c == '\t')
			fr_buf_add(ret, &s[i], 1);
		else if (c != END_OF_INPUT)
			fr_buf_printf(ret, "^%c", c + '@');
	}
}

char *fr_output_without_echo(const char *s, size_t n, const char *typed, size_t ntyped,
			     size_t *ret_n)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf line = {0};
	char *r = fr_xmalloc(n + 1), *from = r;

	if (n)
		memcpy(r, s, n);
	for (size_t i = 0, k; i < ntyped; i += k + 1) {
		char *at, *end;

		for (k = 0; i + k < ntyped && typed[i + k] != '\n' && typed[i + k] != '\r';)
			k++;
		echo_of(typed + i, k, &line);
		if (i + k < ntyped)
			fr_buf_puts(&line, "\r\n");
		at = line.n ? memmem(from, (size_t)(r + n - from), line.s, line.n) : NULL;
		if (!at)
			continue;
		end = at + line.n;
		memmove(at, end, (size_t)(r + n - end));
		n -= line.n;
		from = at;
		fr_assert((size_t)(from - r) <= n);
	}
	*ret_n = n;
	return r;
}

enum fr_differ fr_output_compare(const char *a, size_t na, const char *b, size_t nb,
				 uint64_t *ret_line)
{
	enum fr_differ d = compare(a, na, b, nb, ret_line);
	FR_CLEANUP(fr_freep) char *x = NULL, *y = NULL;
	size_t nx, ny;
	uint64_t line;

	if (d != FR_DIFFERENT)
		return d;
	x = fr_output_without_addresses(a, na, &nx);
	y = fr_output_without_addresses(b, nb, &ny);
	return compare(x, nx, y, ny, &line) == FR_DIFFERENT ? FR_DIFFERENT : FR_OTHER_ADDRESSES;
}
