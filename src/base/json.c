/*
 * The JSON reader: recursive descent with a depth limit. Memory is proportional to the text.
 * A number stays text until the caller converts it.
 */
#include "base/json.h"
#include "base/assert.h"
#include "base/hash.h"
#include <errno.h>
#include <string.h>

struct json_reader {
	const char *name;
	const unsigned char *text;
	size_t n, at;
	unsigned depth;
	struct fr_err *err;
};

static int bad_at(struct json_reader *r, size_t at, const char *what)
{
	size_t line = 1, start = 0;

	for (size_t i = 0; i < at && i < r->n; i++)
		if (r->text[i] == '\n') {
			line++;
			start = i + 1;
		}
	return fr_err_say(r->err, -EBADMSG, "'%s':%zu:%zu: %s (offset %zu)", r->name, line,
			  at - start + 1, what, at);
}

static int bad(struct json_reader *r, const char *what)
{
	return bad_at(r, r->at, r->at < r->n ? what : "the file ends too early");
}

/* Returns the byte at the cursor, -1 at the end. */
static int peek(struct json_reader *r)
{
	return r->at < r->n ? r->text[r->at] : -1;
}

static void blanks(struct json_reader *r)
{
	while (r->at < r->n && r->text[r->at] && strchr(" \t\r\n", r->text[r->at]))
		r->at++;
}

static int word(struct json_reader *r, const char *w)
{
	size_t n = strlen(w);

	if (r->n - r->at < n || memcmp(r->text + r->at, w, n) != 0)
		return bad(r, "expected a JSON value");
	r->at += n;
	return 0;
}

static bool digits(struct json_reader *r)
{
	size_t start = r->at;

	while (peek(r) >= '0' && peek(r) <= '9')
		r->at++;
	return r->at > start;
}

static int number(struct json_reader *r, struct fr_json *j)
{
	size_t start = r->at;

	if (peek(r) == '-')
		r->at++;
	if (peek(r) == '0')
		r->at++;
	else if (!digits(r))
		return bad(r, "not a number");
	if (peek(r) == '.') {
		r->at++;
		if (!digits(r))
			return bad(r, "not a number");
	}
	if (peek(r) == 'e' || peek(r) == 'E') {
		r->at++;
		if (peek(r) == '+' || peek(r) == '-')
			r->at++;
		if (!digits(r))
			return bad(r, "not a number");
	}
	j->type = FR_JSON_NUMBER;
	j->n = r->at - start;
	j->s = fr_xstrndup((const char *)r->text + start, j->n);
	return 0;
}

static int hex4(struct json_reader *r, uint32_t *ret)
{
	uint32_t v = 0;

	for (int i = 0; i < 4; i++, r->at++) {
		int c = peek(r);
		int d = c >= '0' && c <= '9'			      ? c - '0'
			: (c | 32) >= 'a' && (c | 32) <= 'f' && c > 0 ? (c | 32) - 'a' + 10
								      : -1;

		if (d < 0)
			return bad(r, "expected four hexadecimal digits after \\u");
		v = v << 4 | (uint32_t)d;
	}
	*ret = v;
	return 0;
}

static size_t put_utf8(char *out, uint32_t c)
{
	fr_assert(c <= 0x10ffff && (c < 0xd800 || c > 0xdfff));
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (char)(0xc0 | c >> 6);
		out[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		out[0] = (char)(0xe0 | c >> 12);
		out[1] = (char)(0x80 | (c >> 6 & 0x3f));
		out[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | c >> 18);
	out[1] = (char)(0x80 | (c >> 12 & 0x3f));
	out[2] = (char)(0x80 | (c >> 6 & 0x3f));
	out[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

/* Decodes the digits after "\u". An escape of 6 bytes yields at most 3 bytes, a surrogate pair of
   12 bytes yields 4. */
static int unicode(struct json_reader *r, char *out, size_t *ret)
{
	size_t start = r->at - 2;
	uint32_t c = 0, low = 0;
	int e = hex4(r, &c);

	if (e < 0)
		return e;
	if (c >= 0xdc80 && c <= 0xdcff) {
		out[0] = (char)(c & 0xff);
		*ret = 1;
		return 0;
	}
	if (c >= 0xd800 && c <= 0xdfff) {
		if (c >= 0xdc00 || r->n - r->at < 6 || memcmp(r->text + r->at, "\\u", 2) != 0)
			return bad_at(r, start, "incomplete surrogate pair");
		r->at += 2;
		e = hex4(r, &low);
		if (e < 0)
			return e;
		if (low < 0xdc00 || low > 0xdfff)
			return bad_at(r, start, "incomplete surrogate pair");
		c = 0x10000 + ((c & 0x3ff) << 10 | (low & 0x3ff));
	}
	*ret = put_utf8(out, c);
	return 0;
}

static int escape(struct json_reader *r, char *out, size_t *ret)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	int c = peek(r);
	const char *p = c > 0 ? strchr(from, c) : NULL;

	if (c == 'u') {
		r->at++;
		return unicode(r, out, ret);
	}
	if (!p || !*p)
		return bad(r, "invalid escape sequence");
	r->at++;
	*out = to[p - from];
	*ret = 1;
	return 0;
}

static int string(struct json_reader *r, char **ret, size_t *ret_n)
{
	FR_CLEANUP(fr_freep) char *s = NULL;
	size_t n = 0, k = 0, end, room;
	int e;

	if (peek(r) != '"')
		return bad(r, "not a string");
	r->at++;
	/* The decoded string is never longer than its text. */
	for (end = r->at; end < r->n && r->text[end] != '"'; end++)
		if (r->text[end] == '\\')
			end++;
	room = fr_min(end, r->n) - r->at;
	s = fr_xmalloc(room + 1);
	while (peek(r) != '"') {
		int c = peek(r);

		if (c < 0x20)
			return bad(r, "control character in a string");
		if (c != '\\') {
			k = fr_utf8_length(r->text + r->at, r->n - r->at);
			if (!k)
				return bad(r, "not UTF-8");
			memcpy(s + n, r->text + r->at, k);
			n += k;
			r->at += k;
			continue;
		}
		r->at++;
		e = escape(r, s + n, &k);
		if (e < 0)
			return e;
		n += k;
	}
	r->at++;
	fr_assert(n <= room);
	s[n] = 0;
	*ret_n = n;
	*ret = fr_steal(s);
	return 0;
}

static int value(struct json_reader *r, struct fr_json *j);

/* One member of an object: key, colon, value. */
static int member(struct json_reader *r, struct fr_json *j, struct fr_map *seen)
{
	size_t at = r->at, n;
	uint64_t *known;
	int e = string(r, &j->key, &n);

	if (e < 0)
		return e;
	known = fr_map_put(seen, fr_hash_bytes(FR_HASH_START, j->key, n) >> 1);
	if (*known)
		return bad_at(r, at, "duplicate key");
	*known = 1;
	blanks(r);
	if (peek(r) != ':')
		return bad(r, "':' is missing after a key");
	r->at++;
	blanks(r);
	return value(r, j);
}

static int container(struct json_reader *r, struct fr_json *j, char close)
{
	FR_CLEANUP(fr_map_free) struct fr_map seen = {0};
	struct fr_json **tail = &j->child;
	int e;

	if (++r->depth > FR_JSON_DEPTH)
		return bad(r, "nested too deeply");
	r->at++;
	blanks(r);
	while (peek(r) != close || j->n) {
		*tail = fr_xcalloc(1, sizeof(**tail));
		j->n++;
		e = close == '}' ? member(r, *tail, &seen) : value(r, *tail);
		if (e < 0)
			return e;
		tail = &(*tail)->next;
		blanks(r);
		if (peek(r) == close)
			break;
		if (peek(r) != ',')
			return bad(r, close == '}' ? "',' or '}' is missing"
						   : "',' or ']' is missing");
		r->at++;
		blanks(r);
	}
	r->at++;
	fr_assert(r->depth && r->at <= r->n);
	r->depth--;
	return 0;
}

static int value(struct json_reader *r, struct fr_json *j)
{
	j->offset = r->at;
	switch (peek(r)) {
	case '{':
		j->type = FR_JSON_OBJECT;
		return container(r, j, '}');
	case '[':
		j->type = FR_JSON_ARRAY;
		return container(r, j, ']');
	case '"':
		j->type = FR_JSON_STRING;
		return string(r, &j->s, &j->n);
	case 't':
		j->type = FR_JSON_BOOL;
		j->truth = true;
		return word(r, "true");
	case 'f':
		j->type = FR_JSON_BOOL;
		return word(r, "false");
	case 'n':
		j->type = FR_JSON_NULL;
		return word(r, "null");
	default:
		return number(r, j);
	}
}

int fr_json_parse(const char *name, const void *text, size_t n, struct fr_json **ret,
		  struct fr_err *reterr)
{
	struct json_reader r = {.name = name, .text = text, .n = n, .err = reterr};
	FR_CLEANUP(fr_json_freep) struct fr_json *j = fr_xcalloc(1, sizeof(*j));
	int e;

	blanks(&r);
	e = value(&r, j);
	if (e < 0)
		return e;
	fr_assert(!r.depth && r.at <= n);
	blanks(&r);
	if (r.at < n)
		return bad(&r, "unexpected text after the value");
	*ret = fr_steal(j);
	return 0;
}

void fr_json_free(struct fr_json *j)
{
	while (j) {
		struct fr_json *next = j->next;

		fr_json_free(j->child); /* recursion depth: at most FR_JSON_DEPTH */
		free(j->key);
		free(j->s);
		free(j);
		j = next;
	}
}

void fr_json_freep(struct fr_json **j)
{
	fr_json_free(*j);
}

const struct fr_json *fr_json_get(const struct fr_json *j, const char *key)
{
	if (!j || j->type != FR_JSON_OBJECT)
		return NULL;
	for (const struct fr_json *c = j->child; c; c = c->next)
		if (!strcmp(c->key, key))
			return c;
	return NULL;
}

bool fr_json_u64(const struct fr_json *j, uint64_t *ret)
{
	unsigned long long v;
	char *end;

	if (!j || j->type != FR_JSON_NUMBER || j->s[0] == '-')
		return false;
	errno = 0;
	v = strtoull(j->s, &end, 10);
	if (errno || *end)
		return false;
	*ret = v;
	return true;
}

bool fr_json_i64(const struct fr_json *j, int64_t *ret)
{
	long long v;
	char *end;

	if (!j || j->type != FR_JSON_NUMBER)
		return false;
	errno = 0;
	v = strtoll(j->s, &end, 10);
	if (errno || *end)
		return false;
	*ret = v;
	return true;
}

const char *fr_json_str(const struct fr_json *j)
{
	return j && j->type == FR_JSON_STRING && strlen(j->s) == j->n ? j->s : NULL;
}

void fr_json_bad(struct fr_json_file *f, const struct fr_json *at, const char *key)
{
	if (f->r)
		return;
	if (at)
		f->r =
		    fr_err_say(f->err, -EBADMSG, "'%s': the value of '%s' at offset %zu is invalid",
			       f->name, key, at->offset);
	else
		f->r = fr_err_say(f->err, -EBADMSG, "'%s': '%s' is missing", f->name, key);
}

uint64_t fr_json_need_u64(struct fr_json_file *f, const struct fr_json *o, const char *key)
{
	const struct fr_json *j = fr_json_get(o, key);
	uint64_t v = 0;

	if (!fr_json_u64(j, &v))
		fr_json_bad(f, j, key);
	return v;
}

bool fr_json_need_bool(struct fr_json_file *f, const struct fr_json *o, const char *key)
{
	const struct fr_json *j = fr_json_get(o, key);

	if (j && j->type == FR_JSON_BOOL)
		return j->truth;
	fr_json_bad(f, j, key);
	return false;
}

double fr_json_need_f64(struct fr_json_file *f, const struct fr_json *o, const char *key)
{
	const struct fr_json *j = fr_json_get(o, key);

	if (j && j->type == FR_JSON_NUMBER)
		return strtod(j->s, NULL);
	fr_json_bad(f, j, key);
	return 0;
}

const struct fr_json *fr_json_need_list(struct fr_json_file *f, const struct fr_json *o,
					const char *key)
{
	const struct fr_json *j = fr_json_get(o, key);

	if (j && j->type == FR_JSON_ARRAY)
		return j->child;
	fr_json_bad(f, j, key);
	return NULL;
}
