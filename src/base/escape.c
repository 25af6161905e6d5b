/* Escapes text from outside for a terminal. */
#include "base/escape.h"
#include "base/assert.h"
#include "base/json.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool fr_escape_needed(uint32_t c)
{
	static const struct {
		uint32_t lo, hi;
	} range[] = {
	    {0x00, 0x1f},     {0x7f, 0x9f},	{0xad, 0xad},	  /* controls, soft hyphen */
	    {0x34f, 0x34f},   {0x61c, 0x61c},	{0x115f, 0x1160}, /* joiner, Arabic mark, fillers */
	    {0x17b4, 0x17b5}, {0x180b, 0x180f}, {0x200b, 0x200f}, /* zero width, direction */
	    {0x2028, 0x202e}, {0x2060, 0x206f}, {0x3164, 0x3164}, /* lines, direction, filler */
	    {0xfeff, 0xfeff}, {0xffa0, 0xffa0},			  /* byte order, filler */
	    {0xfff0, 0xfffb}, {0xfffe, 0xffff}, {0xe0000, 0xe0fff}, /* annotation, tags */
	};

	for (size_t i = 0; i < fr_array_size(range); i++)
		if (c >= range[i].lo && c <= range[i].hi)
			return true;
	return false;
}

unsigned fr_utf8_decode(const char *s, size_t n, uint32_t *ret)
{
	const unsigned char *u = (const unsigned char *)s;
	unsigned k = fr_utf8_length(u, n);

	if (!k)
		return 0;
	*ret = k == 1 ? u[0] : u[0] & (0x7fu >> k);
	for (unsigned i = 1; i < k; i++)
		*ret = *ret << 6 | (u[i] & 0x3f);
	return k;
}

#define PIECE 16 /* bound on the bytes that one escaped character takes */

/* Writes the escaped character at s to `out` and returns its length there. *ret_used is the number
   of bytes of s that it took. */
static unsigned piece(const char *s, size_t n, char out[PIECE], unsigned *ret_used)
{
	uint32_t c = 0;
	unsigned k = fr_utf8_decode(s, n, &c);

	*ret_used = k ? k : 1;
	if (c == '\n' || c == '\t')
		return (unsigned)snprintf(out, PIECE, "\\%c", c == '\n' ? 'n' : 't');
	if (!k || (c < 0x80 && fr_escape_needed(c)))
		return (unsigned)snprintf(out, PIECE, "\\x%02x", (unsigned char)*s);
	if (fr_escape_needed(c))
		return (unsigned)snprintf(out, PIECE, "\\u{%x}", (unsigned)c);
	memcpy(out, s, k);
	return k;
}

void fr_escape_add(struct fr_buf *out, const char *s, size_t n)
{
	unsigned used;

	for (size_t at = 0; at < n; at += used) {
		char text[PIECE];
		unsigned k = piece(s + at, n - at, text, &used);

		fr_assert_slow(k < PIECE && used <= n - at);
		fr_buf_add(out, text, k);
	}
}

void fr_escape_from(struct fr_buf *b, size_t n)
{
	FR_CLEANUP(fr_freep) char *tail = NULL;
	size_t at = n, length = b->n - n;

	fr_assert(n <= b->n);
	while (at < b->n && b->s[at] >= ' ' && b->s[at] < 0x7f)
		at++;
	if (at == b->n)
		return;
	tail = fr_xmalloc(length);
	memcpy(tail, b->s + n, length);
	b->n = n;
	fr_escape_add(b, tail, length);
}

void fr_escape_print(FILE *f, const char *s, size_t n)
{
	char text[1024];
	size_t full = 0;
	unsigned used;

	for (size_t at = 0; at < n; at += used) {
		if (full > sizeof(text) - PIECE) {
			fwrite(text, 1, full, f);
			full = 0;
		}
		full += piece(s + at, n - at, text + full, &used);
	}
	fr_assert(full <= sizeof(text));
	fwrite(text, 1, full, f);
}

char *fr_escape(const char *s)
{
	struct fr_buf b = {0};

	if (!s)
		return NULL;
	fr_buf_add(&b, "", 0);
	fr_escape_add(&b, s, strlen(s));
	return b.s ? b.s : fr_xstrdup("");
}

void fr_escape_printf(struct fr_buf *out, const char *fmt, ...)
{
	char *s;
	va_list ap;

	va_start(ap, fmt);
	s = fr_xvasprintf(fmt, ap);
	va_end(ap);
	fr_escape_add(out, s, strlen(s));
	free(s);
}
