/*
 * The file format of patterns: see pattern.h. The reader splits lines into words, and each word
 * knows its position. It checks a pattern as a whole when the next one begins or the file ends.
 *
 * Not checked: any property of the program. A pattern that cannot happen is no error.
 */
#include "generate/pattern.h"
#include "base/assert.h"
#include "base/io.h"
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct pattern_word {
	const char *s;
	uint32_t n, line, column;
};

enum row { ROW_E, ROW_T, ROW_SV, ROW_AR, ROW_AT, ROWS };
static const char *const row_name[ROWS] = {"E", "T", "SV", "AR", "AT"};

struct pattern_reader {
	const char *path;
	const char *s, *end;
	uint32_t line;
	struct fr_patterns *ret;
	struct fr_err *err;
	/* The current line. */
	FR_VEC(struct pattern_word) word;
	/* The current pattern; name.s == NULL: none yet. */
	struct pattern_word name, head[ROWS];
	FR_VEC(struct pattern_word) row[ROWS];
	FR_VEC(struct pattern_word)
	op; /* for each event, the operator before it; .s == NULL: none */
};

#define FAIL(r, w, ...) fail_at(r, (w)->line, (w)->column, __VA_ARGS__)
__attribute__((format(printf, 4, 5))) static int
fail_at(const struct pattern_reader *r, uint32_t line, uint32_t column, const char *fmt, ...)
{
	char what[512];
	va_list ap;

	fr_assert(line && column);
	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return fr_err_say(r->err, -EINVAL, "%s:%u:%u: %s", r->path, line, column, what);
}

static bool is(const struct pattern_word *w, const char *s)
{
	return strlen(s) == w->n && !strncmp(w->s, s, w->n);
}

static bool same(const struct pattern_word *a, const struct pattern_word *b)
{
	return a->n == b->n && !strncmp(a->s, b->s, a->n);
}

/* A word in a message, cut to what the message can hold. */
#define WORD(w) (int)fr_min((w)->n, 64u), (w)->s

/* ---- words ---- */

/* Reads the words of the next line, none if it is empty. Returns -EINVAL for a character that is
   not text. */
static int next_line(struct pattern_reader *r)
{
	const char *begin = r->s;
	bool comment = false;

	r->word.n = 0;
	r->line++;
	for (; r->s < r->end && *r->s != '\n'; r->s++) {
		unsigned char c = (unsigned char)*r->s;
		struct pattern_word *last = r->word.n ? &r->word.v[r->word.n - 1] : NULL;
		uint32_t column = (uint32_t)(r->s - begin) + 1;

		if (!comment && c == '#')
			comment = true;
		if (comment || c == ' ' || c == '\t' || c == '\r')
			continue;
		if (c < ' ' || c >= 0x7f)
			return fail_at(r, r->line, column, "unexpected character");
		if (last && last->s + last->n == r->s)
			last->n++;
		else
			fr_vec_push(&r->word, (struct pattern_word){r->s, 1, r->line, column});
	}
	r->s += r->s < r->end;
	return 0;
}

/* ---- a whole pattern ---- */

static size_t first_of(const struct pattern_reader *r, enum row row, size_t i)
{
	size_t k = 0;

	fr_assert(i < r->row[row].n);
	while (!same(&r->row[row].v[k], &r->row[row].v[i]))
		k++;
	return k;
}

/* The number of a symbol. Equal symbols have equal numbers, from 0 in order of appearance. */
static uint8_t number(const struct pattern_reader *r, enum row row, size_t i)
{
	uint8_t n = 0;

	for (size_t k = 0; k < first_of(r, row, i); k++)
		n += first_of(r, row, k) == k && !(row == ROW_AR && is(&r->row[row].v[k], "-"));
	return n;
}

static int check_types(const struct pattern_reader *r)
{
	FR_VEC_FOREACH (w, &r->row[ROW_AT])
		if (!is(w, "r") && !is(w, "w") && !is(w, "*"))
			return FAIL(r, w, "'%.*s' is not an access: r, w or *", WORD(w));
	return 0;
}

static int check_symbols(const struct pattern_reader *r)
{
	for (enum row row = 0; row < ROWS; row++) {
		if (row == ROW_AT)
			continue;
		FR_VEC_FOREACH (w, &r->row[row]) {
			if (row == ROW_AR && is(w, "-"))
				continue;
			for (uint32_t i = 0; i < w->n; i++)
				if (!isalnum((unsigned char)w->s[i]) && !strchr("_.'", w->s[i]))
					return FAIL(
					    r, w,
					    "'%.*s' is not a symbol: letters, digits, _ . '%s",
					    WORD(w), row == ROW_AR ? ", or - alone" : "");
		}
	}
	FR_VEC_FOREACH (w, &r->row[ROW_E])
		for (const struct pattern_word *k = r->row[ROW_E].v; k < w; k++)
			if (same(k, w))
				return FAIL(r, w, "two events are called '%.*s'", WORD(w));
	return 0;
}

/* Checks that every required row exists, and that all rows have the same length. */
static int check_rows(const struct pattern_reader *r)
{
	size_t n = r->row[ROW_E].n;

	for (enum row row = 0; row < ROWS; row++) {
		if (!r->head[row].s && row != ROW_AR)
			return FAIL(r, &r->name, "the pattern '%.*s' has no row %s", WORD(&r->name),
				    row_name[row]);
		if (r->head[row].s && r->row[row].n != n) {
			const struct pattern_word *at =
			    r->row[row].n > n ? &r->row[row].v[n] : &r->head[row];

			return FAIL(r, at, "row %s has %zu symbol%s, row E has %zu", row_name[row],
				    r->row[row].n, r->row[row].n == 1 ? "" : "s", n);
		}
	}
	if (n > FR_PATTERN_EVENTS)
		return FAIL(r, &r->row[ROW_E].v[FR_PATTERN_EVENTS], "more than %d events",
			    FR_PATTERN_EVENTS);
	if (n < 2)
		return FAIL(r, &r->head[ROW_E], "a pattern needs at least two events");
	return 0;
}

/* ---- operators ---- */

/* The number of edges that the events need at most (pattern_form.c). */
static uint32_t edges_of(const struct fr_pattern *p)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n; i++)
		for (uint32_t k = i + 1; k < p->n; k++) {
			uint32_t links = 0; /* steps from i to k that are not `||` */

			for (uint32_t j = i + 1; j <= k; j++)
				links += p->ev[j].link != FR_LINK_AT_ONCE;
			n += links == 0 ? 2 : links == 1;
			n += k == i + 1 && p->ev[k].link == FR_LINK_NEXT && fr_pattern_meets(p, k)
				 ? 2
				 : 0;
		}
	return n;
}

/* Checks the operator before event i. */
static int check_operator(const struct pattern_reader *r, const struct fr_pattern *p, uint32_t i)
{
	const struct pattern_word *op = &r->op.v[i], *a = &r->row[ROW_E].v[i - 1];

	if (i > 1 && r->op.v[i - 1].s && op->s && !same(&r->op.v[i - 1], op))
		return FAIL(r, op, "'%.*s' and '%.*s' cannot share the event '%.*s'",
			    WORD(&r->op.v[i - 1]), WORD(op), WORD(a));
	for (uint32_t k = 0; p->ev[i].link == FR_LINK_AT_ONCE && k < i; k++)
		if (fr_pattern_at_once(p, k, i) && p->ev[k].thread == p->ev[i].thread)
			return FAIL(r, op, "'%.*s' and '%.*s' are of one thread, never at once",
				    WORD(&r->row[ROW_E].v[k]), WORD(&r->row[ROW_E].v[i]));
	return 0;
}

static int check_operators(const struct pattern_reader *r, const struct fr_pattern *p)
{
	for (uint32_t i = 1; i < p->n; i++) {
		int x = check_operator(r, p, i);

		if (x)
			return x;
	}
	if (edges_of(p) > FR_EDGES)
		return FAIL(r, &r->head[ROW_E],
			    "with ';' and '||', the pattern requires %u orders of two steps, at "
			    "most %d are possible",
			    edges_of(p), FR_EDGES);
	return 0;
}

/* As in PECAN, two events in two named regions are consecutive. */
static void complete_links(struct fr_pattern *p)
{
	if (p->n == 2 && p->ev[0].region != FR_PATTERN_ANY && p->ev[1].region != FR_PATTERN_ANY &&
	    p->ev[0].thread != p->ev[1].thread && p->ev[1].link == FR_LINK_LATER)
		p->ev[1].link = FR_LINK_NEXT;
}

static int check_whole(const struct pattern_reader *r, const struct fr_pattern *p)
{
	bool other = false;

	for (uint32_t i = 0; i < p->n; i++) {
		other |= p->ev[i].thread != p->ev[0].thread;
		for (uint32_t k = 0; k < i; k++)
			if (p->ev[i].region != FR_PATTERN_ANY &&
			    p->ev[i].region == p->ev[k].region &&
			    p->ev[i].thread != p->ev[k].thread)
				return FAIL(r, &r->row[ROW_AR].v[i],
					    "region '%.*s' has events of two threads",
					    WORD(&r->row[ROW_AR].v[i]));
	}
	if (!other)
		return FAIL(r, &r->head[ROW_T], "a pattern needs at least two threads");
	return check_operators(r, p);
}

static uint8_t link_of(const struct pattern_word *op)
{
	return !op->s ? FR_LINK_LATER : is(op, ";") ? FR_LINK_NEXT : FR_LINK_AT_ONCE;
}

/* The generator of a pattern that is complete but for it. */
static struct fr_generator generator_of(const struct pattern_reader *r, const struct fr_pattern *p)
{
	bool either = p->n == 2 && p->ev[1].link == FR_LINK_AT_ONCE;

	return (struct fr_generator){
	    .guess = true,
	    .name = fr_xasprintf("pattern:%.*s", (int)r->name.n, r->name.s),
	    .summary = "a pattern of the user",
	    .meeting = either ? FR_MEETING_EITHER_ORDER : FR_MEETING_IN_ORDER,
	    .rank = 80,
	    .generate = fr_pattern_generate};
}

static int end_pattern(struct pattern_reader *r)
{
	struct fr_pattern *p;
	int x;

	if (!r->name.s)
		return 0;
	x = check_rows(r);
	if (!x)
		x = check_symbols(r);
	if (!x)
		x = check_types(r);
	if (x)
		return x;
	fr_assert(r->op.n == r->row[ROW_E].n && r->row[ROW_E].n <= FR_PATTERN_EVENTS);
	p = fr_xcalloc(1, sizeof(*p));
	p->n = (uint32_t)r->row[ROW_E].n;
	for (uint32_t i = 0; i < p->n; i++) {
		const struct pattern_word *at = &r->row[ROW_AT].v[i];
		bool any = !r->head[ROW_AR].s || is(&r->row[ROW_AR].v[i], "-");

		p->ev[i] =
		    (struct fr_pattern_event){.thread = number(r, ROW_T, i),
					      .loc = number(r, ROW_SV, i),
					      .region = any ? FR_PATTERN_ANY : number(r, ROW_AR, i),
					      .link = link_of(&r->op.v[i]),
					      .read = !is(at, "w"),
					      .write = !is(at, "r")};
		fr_assert(p->ev[i].read || p->ev[i].write);
	}
	x = check_whole(r, p);
	if (x) {
		free(p);
		return x;
	}
	complete_links(p);
	fr_assert(p->ev[0].link == FR_LINK_LATER); /* no operator before the first event */
	p->generator = generator_of(r, p);
	fr_vec_push(&r->ret->v, p);
	return 0;
}

/* ---- lines ---- */

static int begin_pattern(struct pattern_reader *r)
{
	struct pattern_word *w = r->word.v;

	fr_assert(r->word.n && is(w, "pattern"));
	if (r->word.n < 2)
		return FAIL(r, &w[0], "the pattern has no name");
	if (r->word.n > 2)
		return FAIL(r, &w[2], "the name of a pattern is one word");
	if (w[1].n > FR_PATTERN_NAME)
		return FAIL(r, &w[1], "a name has at most %d characters", FR_PATTERN_NAME);
	for (uint32_t i = 0; i < w[1].n; i++)
		if (!isalnum((unsigned char)w[1].s[i]) && !strchr("_.-", w[1].s[i]))
			return FAIL(r, &w[1], "'%.*s' is not a name: letters, digits, _ . -",
				    WORD(&w[1]));
	FR_VEC_FOREACH (p, &r->ret->v)
		if (is(&w[1], (*p)->generator.name + strlen("pattern:")))
			return FAIL(r, &w[1], "two patterns are called '%.*s'", WORD(&w[1]));
	r->name = w[1];
	memset(r->head, 0, sizeof(r->head));
	for (enum row row = 0; row < ROWS; row++)
		r->row[row].n = 0;
	r->op.n = 0;
	return 0;
}

static bool of_operator(char c)
{
	return c == '|' || c == ';';
}

/* The first event or operator in a word: `a||b` is three. */
static struct pattern_word first_part(const struct pattern_word *w)
{
	struct pattern_word x = {w->s, 1, w->line, w->column};

	fr_assert(w->n);
	while (x.n < w->n && of_operator(w->s[x.n]) == of_operator(w->s[0]))
		x.n++;
	return x;
}

/* Adds an event or an operator to row E. op: the operator so far, none if .s == NULL. */
static int see_part(struct pattern_reader *r, const struct pattern_word *x, struct pattern_word *op)
{
	if (!of_operator(x->s[0])) {
		fr_vec_push(&r->row[ROW_E], *x);
		fr_vec_push(&r->op, *op);
		*op = (struct pattern_word){0};
		return 0;
	}
	if (!is(x, "||") && !is(x, ";"))
		return FAIL(r, x, "'%.*s' is not an operator: || or ;", WORD(x));
	if (!r->row[ROW_E].n || op->s)
		return FAIL(r, x, "no event before '%.*s'", WORD(x));
	*op = *x;
	return 0;
}

/* Reads row E: events, and operators between them. */
static int see_events(struct pattern_reader *r)
{
	struct pattern_word op = {0};

	for (size_t i = 1; i < r->word.n; i++)
		for (struct pattern_word rest = r->word.v[i]; rest.n;) {
			struct pattern_word x = first_part(&rest);
			int e = see_part(r, &x, &op);

			if (e)
				return e;
			rest.s += x.n;
			rest.column += x.n;
			rest.n -= x.n;
		}
	return op.s ? FAIL(r, &op, "no event after '%.*s'", WORD(&op)) : 0;
}

static int see_line(struct pattern_reader *r)
{
	const struct pattern_word *w = r->word.v;
	enum row row = 0;
	int x;

	if (!r->word.n)
		return 0;
	if (is(w, "pattern")) {
		x = end_pattern(r);
		return x ? x : begin_pattern(r);
	}
	while (row < ROWS && !is(w, row_name[row]))
		row++;
	if (row == ROWS)
		return FAIL(r, w, "'%.*s' is not a row: pattern, E, T, SV, AR or AT", WORD(w));
	if (!r->name.s)
		return FAIL(r, w, "row %s before the first 'pattern NAME'", row_name[row]);
	if (r->head[row].s)
		return FAIL(r, w, "two rows %s", row_name[row]);
	r->head[row] = *w;
	if (row == ROW_E)
		return see_events(r);
	for (size_t i = 1; i < r->word.n; i++)
		fr_vec_push(&r->row[row], w[i]);
	return 0;
}

int fr_patterns_read(const char *path, struct fr_patterns *ret, struct fr_err *reterr)
{
	struct pattern_reader r = {.path = path, .ret = ret, .err = reterr};
	struct fr_mapped file = {0};
	size_t before = ret->v.n;
	int x = fr_io_map(path, &file, reterr);

	if (x < 0)
		return x;
	r.s = file.n ? (const char *)file.p : "";
	r.end = r.s + file.n;
	while (!x && r.s < r.end) {
		x = next_line(&r);
		if (!x)
			x = see_line(&r);
	}
	if (!x)
		x = end_pattern(&r);
	if (!x && ret->v.n == before)
		x = fail_at(&r, r.line ? r.line : 1, 1, "the file contains no pattern");
	while (x && ret->v.n > before) {
		free((char *)ret->v.v[--ret->v.n]->generator.name);
		free(ret->v.v[ret->v.n]);
	}
	fr_assert(x ? ret->v.n == before : ret->v.n > before);
	fr_vec_free(&r.word);
	fr_vec_free(&r.op);
	for (enum row row = 0; row < ROWS; row++)
		fr_vec_free(&r.row[row]);
	fr_io_unmap(&file);
	return x;
}

void fr_patterns_free(struct fr_patterns *p)
{
	FR_VEC_FOREACH (x, &p->v) {
		free((char *)(*x)->generator.name);
		free(*x);
	}
	fr_vec_free(&p->v);
}
