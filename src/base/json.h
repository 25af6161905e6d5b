/*
 * JSON: a writer into a string buffer, and a strict reader (RFC 8259) for files that may be
 * hostile. The reader limits nesting and refuses duplicate keys. Its errors give file, line, column
 * and offset.
 *
 * Strings are bytes here. The writer stores bytes that are not UTF-8 (file names, environments) as
 * the lone surrogates U+DC80..U+DCFF, and the reader turns these into the same bytes.
 */
#ifndef FR_BASE_JSON_H
#define FR_BASE_JSON_H

#include "base/err.h"
#include "base/mem.h"
#include <stdbool.h>
#include <stdint.h>

/* ---- writing ---- */

struct fr_jw {
	struct fr_buf *out;
	unsigned depth;
	bool first; /* the current container is empty so far */
	bool keyed; /* the last thing written is a key */
};
/* Write one token each, with the comma, line break and indentation before it. Members of an object
   are a key and a value in turn. */
void fr_jw_open(struct fr_jw *w, char bracket); /* '{' or '[' */
void fr_jw_close(struct fr_jw *w, char bracket);
void fr_jw_key(struct fr_jw *w, const char *key);
void fr_jw_str(struct fr_jw *w, const char *s); /* NULL: null */
void fr_jw_u64(struct fr_jw *w, uint64_t v);
void fr_jw_i64(struct fr_jw *w, int64_t v);
void fr_jw_f64(struct fr_jw *w, double v); /* not finite: null */
void fr_jw_bool(struct fr_jw *w, bool v);
void fr_jw_null(struct fr_jw *w);
/* Write a key and its value. */
void fr_jw_pair(struct fr_jw *w, const char *key, const char *s);
void fr_jw_pair_u64(struct fr_jw *w, const char *key, uint64_t v);
void fr_jw_pair_f64(struct fr_jw *w, const char *key, double v);
void fr_jw_pair_bool(struct fr_jw *w, const char *key, bool v);

/* Returns the length of the UTF-8 sequence at s (shortest form, no surrogate), 0 if the bytes are
   not one. `left` >= 1 bytes follow. */
unsigned fr_utf8_length(const unsigned char *s, size_t left);

/* ---- reading ---- */

enum fr_json_type {
	FR_JSON_NULL,
	FR_JSON_BOOL,
	FR_JSON_NUMBER,
	FR_JSON_STRING,
	FR_JSON_ARRAY,
	FR_JSON_OBJECT,
};

struct fr_json {
	enum fr_json_type type;
	bool truth;
	size_t offset;	       /* of the value in the text */
	char *key;	       /* of a member of an object */
	char *s;	       /* string, or the text of a number; NUL-terminated */
	size_t n;	       /* length of s; number of children */
	struct fr_json *child; /* first child */
	struct fr_json *next;  /* next sibling */
};

#define FR_JSON_DEPTH 64

/* Parses n bytes. `name` is the file's name in errors. Returns 0 or -EBADMSG. */
int fr_json_parse(const char *name, const void *text, size_t n, struct fr_json **ret,
		  struct fr_err *reterr);
void fr_json_free(struct fr_json *j);
void fr_json_freep(struct fr_json **j);

/* Returns a member of an object. NULL: no such member, or j is not an object (it may be NULL). */
const struct fr_json *fr_json_get(const struct fr_json *j, const char *key);
/* Return false if j is NULL, not a number, or out of range. */
bool fr_json_u64(const struct fr_json *j, uint64_t *ret);
bool fr_json_i64(const struct fr_json *j, int64_t *ret);
/* Returns the string; NULL if j is no string or contains a NUL byte. */
const char *fr_json_str(const struct fr_json *j);

/* Reads required members of one file. The first missing or wrong member sets the error. */
struct fr_json_file {
	const char *name;
	struct fr_err *err;
	int r; /* 0, or the first error */
};
/* Sets the error. at: the wrong value, NULL if the member is missing. */
void fr_json_bad(struct fr_json_file *f, const struct fr_json *at, const char *key);
/* Return 0 or false after an error. */
uint64_t fr_json_need_u64(struct fr_json_file *f, const struct fr_json *o, const char *key);
bool fr_json_need_bool(struct fr_json_file *f, const struct fr_json *o, const char *key);
double fr_json_need_f64(struct fr_json_file *f, const struct fr_json *o, const char *key);
/* Returns the first element of an array; the others are its siblings. NULL: empty, or an error. */
const struct fr_json *fr_json_need_list(struct fr_json_file *f, const struct fr_json *o,
					const char *key);

#endif
