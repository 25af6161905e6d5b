/*
 * What programs write, compared and searched. Threads that print do so in any order: the same lines
 * in another order are no harm.
 */
#include "confirm/judge.h"
#include <string.h>

struct line {
	const char *s;
	size_t n;
};
typedef FR_VEC(struct line) line_vec;

static void split(const char *s, size_t n, line_vec *ret)
{
	while (n) {
		const char *end = memchr(s, '\n', n);
		size_t k = end ? (size_t)(end - s) + 1 : n;

		fr_vec_push(ret, ((struct line){s, k}));
		s += k;
		n -= k;
	}
}

static int by_text(const void *pa, const void *pb)
{
	const struct line *a = pa, *b = pb;
	int r = memcmp(a->s, b->s, fr_min(a->n, b->n));

	return r ? r : (a->n > b->n) - (a->n < b->n);
}

enum fr_differ fr_output_compare(const char *a, size_t na, const char *b, size_t nb,
				 uint64_t *ret_line)
{
	enum fr_differ d = FR_OTHER_ORDER;
	line_vec x = {0}, y = {0};
	size_t i = 0;

	if (na == nb && (!na || !memcmp(a, b, na)))
		return FR_SAME;
	split(a, na, &x);
	split(b, nb, &y);
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

/* The line that a place is in, from `from` on if that is in it, as a new string. */
static char *line_at(const char *s, size_t n, const char *at, const char *from)
{
	const char *end = memchr(at, '\n', n - (size_t)(at - s));
	const char *begin = from ? from : at;

	while (!from && begin > s && begin[-1] != '\n')
		begin--;
	if (!end)
		end = s + n;
	if (end > begin && end[-1] == '\r')
		end--;
	return fr_xstrndup(begin, (size_t)(end - begin));
}

char *fr_output_sanitizer(const char *s, size_t n)
{
	static const char *const names[] = {
	    "AddressSanitizer: ", "LeakSanitizer: ", "UndefinedBehaviorSanitizer: ",
	    "MemorySanitizer: ", "ThreadSanitizer: "};
	const char *p = n ? memmem(s, n, ": runtime error: ", 17) : NULL;

	if (p)
		return line_at(s, n, p, NULL);
	for (size_t i = 0; i < fr_array_size(names); i++) {
		p = n ? memmem(s, n, names[i], strlen(names[i])) : NULL;
		if (p)
			return line_at(s, n, p, p);
	}
	return NULL;
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
	line[strlen(line) - 1] = 0; /* the full stop */
	return line;
}
