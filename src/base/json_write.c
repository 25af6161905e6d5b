/* The JSON writer: indents by two blanks for each level. */
#include "base/json.h"
#include "base/assert.h"
#include "base/escape.h"
#include <math.h>
#include <string.h>

static void newline(struct fr_jw *w)
{
	fr_buf_puts(w->out, "\n");
	for (unsigned i = 0; i < w->depth; i++)
		fr_buf_puts(w->out, "  ");
}

static void before(struct fr_jw *w)
{
	if (w->keyed) {
		w->keyed = false;
		return;
	}
	if (!w->depth)
		return;
	if (!w->first)
		fr_buf_puts(w->out, ",");
	newline(w);
	w->first = false;
}

void fr_jw_open(struct fr_jw *w, char bracket)
{
	fr_assert(bracket == '{' || bracket == '[');
	before(w);
	fr_buf_add(w->out, &bracket, 1);
	w->depth++;
	w->first = true;
}

void fr_jw_close(struct fr_jw *w, char bracket)
{
	fr_assert(w->depth && !w->keyed);
	w->depth--;
	if (!w->first)
		newline(w);
	w->first = false;
	fr_buf_add(w->out, &bracket, 1);
}

unsigned fr_utf8_length(const unsigned char *s, size_t left)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	unsigned n = s[0] < 0x80 ? 1 : s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : s[0] >= 0xc2 ? 2 : 0;
	uint32_t c;

	if (n < 2)
		return n;
	if (s[0] > 0xf4 || n > left)
		return 0;
	c = s[0] & (0x7f >> n);
	for (unsigned i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 0;
	return n;
}

static void string(struct fr_buf *b, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	const unsigned char *end = s + strlen(text);
	uint32_t c;
	unsigned n;

	fr_buf_puts(b, "\"");
	for (; s < end; s += n) {
		n = fr_utf8_length(s, (size_t)(end - s));
		if (!n) {
			fr_buf_printf(b, "\\udc%02x", *s);
			n = 1;
		} else if (*s == '"' || *s == '\\') {
			fr_buf_printf(b, "\\%c", *s);
		} else if (*s == '\n') {
			fr_buf_puts(b, "\\n");
		} else if (*s == '\t') {
			fr_buf_puts(b, "\\t");
		} else if (fr_utf8_decode((const char *)s, n, &c) && fr_escape_needed(c)) {
			if (c > 0xffff)
				fr_buf_printf(b, "\\u%04x", 0xd7c0 + (c >> 10));
			fr_buf_printf(b, "\\u%04x", c > 0xffff ? 0xdc00 + (c & 0x3ff) : c);
		} else {
			fr_buf_add(b, s, n);
		}
	}
	fr_buf_puts(b, "\"");
}

void fr_jw_key(struct fr_jw *w, const char *key)
{
	fr_assert(w->depth && !w->keyed);
	before(w);
	string(w->out, key);
	fr_buf_puts(w->out, ": ");
	w->keyed = true;
}

void fr_jw_str(struct fr_jw *w, const char *s)
{
	before(w);
	if (s)
		string(w->out, s);
	else
		fr_buf_puts(w->out, "null");
}

void fr_jw_u64(struct fr_jw *w, uint64_t v)
{
	before(w);
	fr_buf_printf(w->out, "%llu", (unsigned long long)v);
}

void fr_jw_i64(struct fr_jw *w, int64_t v)
{
	before(w);
	fr_buf_printf(w->out, "%lld", (long long)v);
}

void fr_jw_f64(struct fr_jw *w, double v)
{
	before(w);
	if (isfinite(v))
		fr_buf_printf(w->out, "%.6f", v);
	else
		fr_buf_puts(w->out, "null");
}

void fr_jw_bool(struct fr_jw *w, bool v)
{
	before(w);
	fr_buf_puts(w->out, v ? "true" : "false");
}

void fr_jw_null(struct fr_jw *w)
{
	before(w);
	fr_buf_puts(w->out, "null");
}

void fr_jw_pair(struct fr_jw *w, const char *key, const char *s)
{
	fr_jw_key(w, key);
	fr_jw_str(w, s);
}

void fr_jw_pair_u64(struct fr_jw *w, const char *key, uint64_t v)
{
	fr_jw_key(w, key);
	fr_jw_u64(w, v);
}

void fr_jw_pair_f64(struct fr_jw *w, const char *key, double v)
{
	fr_jw_key(w, key);
	fr_jw_f64(w, v);
}

void fr_jw_pair_bool(struct fr_jw *w, const char *key, bool v)
{
	fr_jw_key(w, key);
	fr_jw_bool(w, v);
}
