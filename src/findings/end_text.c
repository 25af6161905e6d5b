/* Failed assertions and reports of sanitizers in the output of a program: see end_text.h. */
#include "findings/end_text.h"
#include "base/assert.h"
#include "base/lines.h"
#include "base/mem.h"
#include <stdlib.h>
#include <string.h>

/* Returns the line that contains `at`, or its part from `from` on, as a new string. */
static char *line_at(const char *s, size_t n, const char *at, const char *from)
{
	const char *end = memchr(at, '\n', n - (size_t)(at - s));
	const char *begin = from ? from : at;

	fr_assert(at >= s && at <= s + n);
	while (!from && begin > s && begin[-1] != '\n')
		begin--;
	if (!end)
		end = s + n;
	fr_assert(begin <= end);
	if (end > begin && end[-1] == '\r')
		end--;
	return fr_xstrndup(begin, (size_t)(end - begin));
}

#define UNDEFINED ": runtime error: "
#define SUMMARY "SUMMARY: "

/* Does the text before `at` end with a line and a column, "x.c:12:3"? */
static bool after_position(const char *s, const char *at)
{
	unsigned numbers = 0;

	for (const char *end = at; numbers < 2; numbers++, at = end) {
		while (end > s && end[-1] >= '0' && end[-1] <= '9')
			end--;
		if (end == at || end == s || end[-1] != ':')
			break;
		end--;
	}
	return numbers == 2;
}

/* Returns where a sanitizer's message begins in the line, NULL if there is none. */
static const char *telling(const struct fr_line *l)
{
	static const char *const names[] = {
	    "AddressSanitizer: ", "LeakSanitizer: ", "UndefinedBehaviorSanitizer: ",
	    "MemorySanitizer: ", "ThreadSanitizer: "};
	const char *p;

	if (!l->n)
		return NULL;
	p = memmem(l->s, l->n, UNDEFINED, strlen(UNDEFINED));
	if (p && after_position(l->s, p))
		return l->s;
	for (size_t i = 0; i < fr_array_size(names); i++)
		if ((p = memmem(l->s, l->n, names[i], strlen(names[i]))))
			return p;
	return NULL;
}

static bool is_summary(const struct fr_line *l)
{
	return l->n > strlen(SUMMARY) && !memcmp(l->s, SUMMARY, strlen(SUMMARY));
}

/* Removes the numbers: addresses, values and process ids differ between runs. */
static char *without_numbers(char *s)
{
	char *to = s;

	for (const char *from = s; *from;) {
		if (from[0] == '0' && from[1] == 'x')
			from += 2 + strspn(from + 2, "0123456789abcdef");
		else if (*from >= '0' && *from <= '9')
			from++;
		else
			*to++ = *from++;
	}
	*to = 0;
	return s;
}

/* Returns a key that identifies a line of a report: the kind of error, and the position if the line
   has one. */
static char *report_key(const struct fr_line *l, const char *tells)
{
	char *key = line_at(tells, (size_t)(l->s + l->n - tells), tells, tells), *p;

	if ((p = strstr(key, UNDEFINED))) {
		without_numbers(p);
	} else if (!is_summary(l)) {
		if ((p = strstr(key, " on ")))
			*p = 0;
		if ((p = strstr(key, " (")))
			*p = 0;
		without_numbers(key);
	} else if (strstr(key, " leaked in ")) {
		without_numbers(key);
	}
	return key;
}

typedef FR_VEC(char *) key_vec;

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Collects the keys of all lines of reports, sorted. */
static void report_keys(const char *s, size_t n, key_vec *ret)
{
	fr_line_vec v = {0};

	fr_lines_split(s, n, &v);
	FR_VEC_FOREACH (l, &v)
		if (telling(l))
			fr_vec_push(ret, report_key(l, telling(l)));
	if (ret->n)
		qsort(ret->v, ret->n, sizeof(*ret->v), by_name);
	fr_vec_free(&v);
}

/* A report's summary has the position of the error; its first line has only the kind. */
char *fr_output_sanitizer(const char *s, size_t n, const char *then, size_t nthen)
{
	const char *tells, *first = NULL;
	char *found = NULL;
	key_vec keys = {0};
	fr_line_vec now = {0};

	if (!telling(&(struct fr_line){s, n}))
		return NULL;
	report_keys(then, nthen, &keys);
	fr_lines_split(s, n, &now);
	for (size_t i = 0; i < now.n && !found; i++) {
		FR_CLEANUP(fr_freep) char *key = NULL;

		if (!(tells = telling(&now.v[i])))
			continue;
		if (!is_summary(&now.v[i]) || !first)
			first = tells;
		key = report_key(&now.v[i], tells);
		if (!keys.n || !bsearch(&key, keys.v, keys.n, sizeof(*keys.v), by_name))
			found = line_at(s, n, first, first);
	}
	FR_VEC_FOREACH (k, &keys)
		free(*k);
	fr_vec_free(&keys);
	fr_vec_free(&now);
	return found;
}

/* "prog: file.c:12: function: Assertion `x' failed." */
char *fr_output_assertion(const char *s, size_t n)
{
	const char *p = n ? memmem(s, n, ": Assertion `", 13) : NULL;
	char *line, *from;

	if (!p)
		return NULL;
	line = line_at(s, n, p, NULL);
	if (!strstr(line, "' failed.")) {
		free(line);
		return NULL;
	}
	from = strstr(line, ": ");
	if (from && from < strstr(line, ": Assertion `"))
		memmove(line, from + 2, strlen(from + 2) + 1);
	fr_assert(*line);
	line[strlen(line) - 1] = 0; /* the full stop */
	return line;
}
