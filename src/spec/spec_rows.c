/*
 * Reads patterns in rows: see spec.h. The reader splits lines into words, and each word knows its
 * position. It checks a pattern as a whole when the next one begins or the file ends. After an
 * error in a line it goes on with the next one.
 *
 * Not checked: any property of the program. A pattern that cannot happen is no error.
 */
#include "spec/spec_lex.h"
#include <ctype.h>
#include <errno.h>
#include <string.h>

struct rows_word {
	const char *s;
	uint32_t n, line, column;
};

const char *const fr_row_name[] = {
#define FR_X(n, s) s,
    FR_ROW_KINDS(FR_X)
#undef FR_X
};
/* By enum fr_row_link. */
static const char *const link_word[] = {"later", "consecutive", "at-once"};

struct rows_reader {
	struct fr_lex *l;
	const char *s, *end;
	uint32_t line;
	/* The current line. */
	FR_VEC(struct rows_word) word;
	/* The current pattern; name.s == NULL: none yet. */
	bool wrong; /* it has an error */
	struct rows_word name, head[FR_ROW_COUNT];
	FR_VEC(struct rows_word) row[FR_ROW_COUNT];
	FR_VEC(struct rows_word) op; /* for each event, the operator before it; .s == NULL: none */
};

static struct fr_spec_pos pos_of(const struct rows_reader *r, const struct rows_word *w)
{
	return (struct fr_spec_pos){(uint32_t)(w->s - r->l->spec->text), w->line, w->column};
}

/* Reports an error at a word, and returns -EINVAL. */
#define FAIL(r, w, ...) (fr_lex_error((r)->l, pos_of(r, w), __VA_ARGS__), -EINVAL)

static bool is(const struct rows_word *w, const char *s)
{
	return strlen(s) == w->n && !strncmp(w->s, s, w->n);
}

static bool same(const struct rows_word *a, const struct rows_word *b)
{
	return a->n == b->n && !strncmp(a->s, b->s, a->n);
}

/* A word in a message, cut to what the message can hold. */
#define WORD(w) (int)fr_min((w)->n, 64u), (w)->s

/* ---- words ---- */

static void keep_comment(struct rows_reader *r, uint32_t column)
{
	const char *end = memchr(r->s, '\n', (size_t)(r->end - r->s));
	size_t n = (size_t)((end ? end : r->end) - r->s);
	struct rows_word at = {r->s, 1, r->line, column};
	struct fr_spec_comment c = {.pos = pos_of(r, &at)};

	while (n && isspace((unsigned char)r->s[n - 1]))
		n--;
	c.s = fr_spec_string(r->l->spec, r->s, n);
	c.end = c.pos;
	c.end.offset += (uint32_t)n;
	c.end.column += (uint32_t)n;
	fr_vec_push(&r->l->spec->comment, c);
}

/* Reads the words of the next line, none if it is empty. Returns -EINVAL for a character that is
   not text. */
static int next_line(struct rows_reader *r)
{
	const char *begin = r->s;
	bool comment = false;

	r->word.n = 0;
	r->line++;
	for (; r->s < r->end && *r->s != '\n'; r->s++) {
		unsigned char c = (unsigned char)*r->s;
		struct rows_word *last = r->word.n ? &r->word.v[r->word.n - 1] : NULL;
		uint32_t column = (uint32_t)(r->s - begin) + 1;

		if (!comment && c == '#') {
			keep_comment(r, column);
			comment = true;
		}
		if (comment || c == ' ' || c == '\t' || c == '\r')
			continue;
		if (c < ' ' || c >= 0x7f) {
			struct rows_word at = {r->s, 1, r->line, column};

			while (r->s < r->end && *r->s != '\n')
				r->s++;
			r->s += r->s < r->end;
			return FAIL(r, &at, "unexpected character");
		}
		if (last && last->s + last->n == r->s)
			last->n++;
		else
			fr_vec_push(&r->word, (struct rows_word){r->s, 1, r->line, column});
	}
	r->s += r->s < r->end;
	return 0;
}

/* ---- a whole pattern ---- */

static size_t first_of(const struct rows_reader *r, enum fr_row row, size_t i)
{
	size_t k = 0;

	fr_assert(i < r->row[row].n);
	while (!same(&r->row[row].v[k], &r->row[row].v[i]))
		k++;
	return k;
}

/* The number of a symbol. Equal symbols have equal numbers, from 0 in order of appearance. */
static uint8_t number(const struct rows_reader *r, enum fr_row row, size_t i)
{
	uint8_t n = 0;

	for (size_t k = 0; k < first_of(r, row, i); k++)
		n += first_of(r, row, k) == k && !(row == FR_ROW_AR && is(&r->row[row].v[k], "-"));
	return n;
}

static int check_types(const struct rows_reader *r)
{
	FR_VEC_FOREACH (w, &r->row[FR_ROW_O]) {
		bool first = w == r->row[FR_ROW_O].v, known = first && is(w, "-");

		for (size_t i = 0; i < fr_array_size(link_word); i++)
			known |= !first && is(w, link_word[i]);
		if (!known && first)
			return FAIL(r, w,
				    "row O begins with -, because nothing comes before the first "
				    "event, not with '%.*s'",
				    WORD(w));
		if (!known)
			return FAIL(r, w,
				    "'%.*s' does not say how an event follows the one before it: "
				    "later, consecutive or at-once",
				    WORD(w));
	}
	FR_VEC_FOREACH (w, &r->op)
		if (w->s && r->head[FR_ROW_O].s)
			return FAIL(r, w,
				    "row E has the operator '%.*s', although there is a row O: "
				    "write the order in one of them",
				    WORD(w));
	FR_VEC_FOREACH (w, &r->row[FR_ROW_AT])
		if (!is(w, "r") && !is(w, "w") && !is(w, "*"))
			return FAIL(r, w, "'%.*s' is not an access: r, w or *", WORD(w));
	return 0;
}

static int check_symbols(const struct rows_reader *r)
{
	for (enum fr_row row = 0; row < FR_ROW_COUNT; row++) {
		if (row == FR_ROW_AT || row == FR_ROW_O)
			continue;
		FR_VEC_FOREACH (w, &r->row[row]) {
			if (row == FR_ROW_AR && is(w, "-"))
				continue;
			for (uint32_t i = 0; i < w->n; i++)
				if (!isalnum((unsigned char)w->s[i]) && !strchr("_.'", w->s[i]))
					return FAIL(
					    r, w,
					    "'%.*s' is not a symbol: letters, digits, _ . '%s",
					    WORD(w), row == FR_ROW_AR ? ", or - alone" : "");
		}
	}
	FR_VEC_FOREACH (w, &r->row[FR_ROW_E])
		for (const struct rows_word *k = r->row[FR_ROW_E].v; k < w; k++)
			if (same(k, w))
				return FAIL(r, w, "two events are called '%.*s'", WORD(w));
	return 0;
}

/* Checks that every required row exists, and that all rows have the same length. */
static int check_rows(const struct rows_reader *r)
{
	size_t n = r->row[FR_ROW_E].n;

	for (enum fr_row row = 0; row < FR_ROW_COUNT; row++) {
		if (!r->head[row].s && row != FR_ROW_AR && row != FR_ROW_O)
			return FAIL(r, &r->name, "the pattern '%.*s' has no row %s", WORD(&r->name),
				    fr_row_name[row]);
		if (r->head[row].s && r->row[row].n != n) {
			const struct rows_word *at =
			    r->row[row].n > n ? &r->row[row].v[n] : &r->head[row];

			return FAIL(r, at, "row %s has %zu symbol%s, row E has %zu",
				    fr_row_name[row], r->row[row].n, r->row[row].n == 1 ? "" : "s",
				    n);
		}
	}
	if (n > FR_ROWS_EVENTS)
		return FAIL(r, &r->row[FR_ROW_E].v[FR_ROWS_EVENTS], "more than %d events",
			    FR_ROWS_EVENTS);
	if (n < 2)
		return FAIL(r, &r->head[FR_ROW_E], "a pattern needs at least two events");
	return 0;
}

/* ---- operators ---- */

/* The number of edges that the events need at most (pattern_form.c). */
static uint32_t edges_of(const struct fr_rows *p)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n; i++)
		for (uint32_t k = i + 1; k < p->n; k++) {
			uint32_t links = 0; /* steps from i to k that are not `||` */

			for (uint32_t j = i + 1; j <= k; j++)
				links += p->ev[j].link != FR_LINK_AT_ONCE;
			n += links == 0 ? 2 : links == 1;
			n += k == i + 1 && p->ev[k].link == FR_LINK_NEXT && fr_rows_meets(p->ev, k)
				 ? 2
				 : 0;
		}
	return n;
}

/* The word that says how event i follows the one before it. .s == NULL: there is none. */
static const struct rows_word *order_of(const struct rows_reader *r, uint32_t i)
{
	return r->head[FR_ROW_O].s ? &r->row[FR_ROW_O].v[i] : &r->op.v[i];
}

/* Checks the operator before event i. */
static int check_operator(const struct rows_reader *r, const struct fr_rows *p, uint32_t i)
{
	const struct rows_word *op = order_of(r, i), *a = &r->row[FR_ROW_E].v[i - 1];

	if (i > 1 && p->ev[i - 1].link != p->ev[i].link && p->ev[i - 1].link != FR_LINK_LATER &&
	    p->ev[i].link != FR_LINK_LATER)
		return FAIL(r, op, "'%.*s' and '%.*s' cannot share the event '%.*s'",
			    WORD(order_of(r, i - 1)), WORD(op), WORD(a));
	for (uint32_t k = 0; p->ev[i].link == FR_LINK_AT_ONCE && k < i; k++)
		if (fr_rows_at_once(p->ev, k, i) && p->ev[k].thread == p->ev[i].thread)
			return FAIL(r, op, "'%.*s' and '%.*s' are of one thread, never at once",
				    WORD(&r->row[FR_ROW_E].v[k]), WORD(&r->row[FR_ROW_E].v[i]));
	return 0;
}

static int check_operators(const struct rows_reader *r, const struct fr_rows *p)
{
	for (uint32_t i = 1; i < p->n; i++) {
		int x = check_operator(r, p, i);

		if (x)
			return x;
	}
	if (edges_of(p) > FR_ROWS_ORDERS)
		return FAIL(r, &r->head[FR_ROW_E],
			    "with ';' and '||', the pattern requires %u orders of two steps, at "
			    "most %d are possible",
			    edges_of(p), FR_ROWS_ORDERS);
	return 0;
}

/* As in PECAN, two events in two named regions are consecutive. */
static void complete_links(struct fr_rows *p)
{
	if (p->n == 2 && p->ev[0].region != FR_ROWS_ANY && p->ev[1].region != FR_ROWS_ANY &&
	    p->ev[0].thread != p->ev[1].thread && p->ev[1].link == FR_LINK_LATER)
		p->ev[1].link = FR_LINK_NEXT;
}

static int check_whole(const struct rows_reader *r, const struct fr_rows *p)
{
	bool other = false;

	for (uint32_t i = 0; i < p->n; i++) {
		other |= p->ev[i].thread != p->ev[0].thread;
		for (uint32_t k = 0; k < i; k++)
			if (p->ev[i].region != FR_ROWS_ANY && p->ev[i].region == p->ev[k].region &&
			    p->ev[i].thread != p->ev[k].thread)
				return FAIL(r, &r->row[FR_ROW_AR].v[i],
					    "region '%.*s' has events of two threads",
					    WORD(&r->row[FR_ROW_AR].v[i]));
	}
	if (!other)
		return FAIL(r, &r->head[FR_ROW_T], "a pattern needs at least two threads");
	return check_operators(r, p);
}

static uint8_t link_of(const struct rows_reader *r, uint32_t i)
{
	const struct rows_word *op = order_of(r, i);

	if (!op->s)
		return FR_LINK_LATER;
	if (is(op, ";") || is(op, link_word[FR_LINK_NEXT]))
		return FR_LINK_NEXT;
	return is(op, "||") || is(op, link_word[FR_LINK_AT_ONCE]) ? FR_LINK_AT_ONCE : FR_LINK_LATER;
}

static char *string_of(const struct rows_reader *r, const struct rows_word *w)
{
	return fr_spec_string(r->l->spec, w->s, w->n);
}

/* Keeps the words for fr_rows_print. */
static void keep_words(const struct rows_reader *r, struct fr_rows *p)
{
	for (enum fr_row row = 0; row < FR_ROW_COUNT; row++) {
		if (r->head[row].s)
			p->head[row] = pos_of(r, &r->head[row]);
		for (size_t i = 0; i < r->row[row].n; i++)
			p->cell[row][i] = string_of(r, &r->row[row].v[i]);
	}
	for (size_t i = 0; i < r->op.n; i++)
		if (r->op.v[i].s)
			p->op[i] = string_of(r, &r->op.v[i]);
}

/* Ends the current pattern, if any: checks it, and adds it to the file. */
static int end_pattern(struct rows_reader *r)
{
	struct fr_rows *p;

	if (!r->name.s || r->wrong || r->l->spec->more_errors)
		return 0;
	if (check_rows(r) || check_symbols(r) || check_types(r))
		return -EINVAL;
	fr_assert(r->op.n == r->row[FR_ROW_E].n && r->row[FR_ROW_E].n <= FR_ROWS_EVENTS);
	p = fr_spec_alloc(r->l->spec, sizeof(*p));
	p->name = (struct fr_spec_name){string_of(r, &r->name), pos_of(r, &r->name)};
	p->n = (uint32_t)r->row[FR_ROW_E].n;
	keep_words(r, p);
	for (uint32_t i = 0; i < p->n; i++) {
		const struct rows_word *at = &r->row[FR_ROW_AT].v[i];
		bool any = !r->head[FR_ROW_AR].s || is(&r->row[FR_ROW_AR].v[i], "-");

		p->ev[i] =
		    (struct fr_row_event){.thread = number(r, FR_ROW_T, i),
					  .loc = number(r, FR_ROW_SV, i),
					  .region = any ? FR_ROWS_ANY : number(r, FR_ROW_AR, i),
					  .link = link_of(r, i),
					  .read = !is(at, "w"),
					  .write = !is(at, "r")};
		fr_assert(p->ev[i].read || p->ev[i].write);
	}
	if (check_whole(r, p))
		return -EINVAL;
	complete_links(p);
	fr_assert(p->ev[0].link == FR_LINK_LATER); /* nothing comes before the first event */
	fr_vec_push(&r->l->spec->rows, p);
	return 0;
}

/* ---- lines ---- */

/* Begins a pattern. It begins even if its name is wrong, because the next rows belong to it. */
static int begin_pattern(struct rows_reader *r)
{
	struct rows_word *w = r->word.v;

	fr_assert(r->word.n && is(w, "pattern"));
	r->name = r->word.n < 2 ? w[0] : w[1];
	r->wrong = false;
	memset(r->head, 0, sizeof(r->head));
	for (enum fr_row row = 0; row < FR_ROW_COUNT; row++)
		r->row[row].n = 0;
	r->op.n = 0;
	if (r->word.n < 2)
		return FAIL(r, &w[0], "the pattern has no name: write pattern NAME");
	if (r->word.n > 2)
		return FAIL(r, &w[2], "the name of a pattern is one word");
	if (w[1].n > FR_SPEC_NAME)
		return FAIL(r, &w[1], "a name has at most %d characters", FR_SPEC_NAME);
	for (uint32_t i = 0; i < w[1].n; i++)
		if (!isalnum((unsigned char)w[1].s[i]) && !strchr("_.-", w[1].s[i]))
			return FAIL(r, &w[1], "'%.*s' is not a name: letters, digits, _ . -",
				    WORD(&w[1]));
	FR_VEC_FOREACH (p, &r->l->spec->rows)
		if (is(&w[1], (*p)->name.s))
			return FAIL(r, &w[1], "two patterns are called '%s'", (*p)->name.s);
	return 0;
}

static bool of_operator(char c)
{
	return c == '|' || c == ';';
}

/* The first event or operator in a word: `a||b` is three. */
static struct rows_word first_part(const struct rows_word *w)
{
	struct rows_word x = {w->s, 1, w->line, w->column};

	fr_assert(w->n);
	while (x.n < w->n && of_operator(w->s[x.n]) == of_operator(w->s[0]))
		x.n++;
	return x;
}

/* Adds an event or an operator to row E. op: the operator so far, none if .s == NULL. */
static int see_part(struct rows_reader *r, const struct rows_word *x, struct rows_word *op)
{
	if (!of_operator(x->s[0])) {
		fr_vec_push(&r->row[FR_ROW_E], *x);
		fr_vec_push(&r->op, *op);
		*op = (struct rows_word){0};
		return 0;
	}
	if (!is(x, "||") && !is(x, ";"))
		return FAIL(r, x, "'%.*s' is not an operator: || or ;", WORD(x));
	if (!r->row[FR_ROW_E].n || op->s)
		return FAIL(r, x, "no event before '%.*s'", WORD(x));
	*op = *x;
	return 0;
}

/* Reads row E: events, and operators between them. */
static int see_events(struct rows_reader *r)
{
	struct rows_word op = {0};

	for (size_t i = 1; i < r->word.n; i++)
		for (struct rows_word rest = r->word.v[i]; rest.n;) {
			struct rows_word x = first_part(&rest);
			int e = see_part(r, &x, &op);

			if (e)
				return e;
			rest.s += x.n;
			rest.column += x.n;
			rest.n -= x.n;
		}
	return op.s ? FAIL(r, &op, "no event after '%.*s'", WORD(&op)) : 0;
}

static int see_line(struct rows_reader *r)
{
	const struct rows_word *w = r->word.v;
	enum fr_row row = 0;

	if (!r->word.n)
		return 0;
	if (is(w, "pattern")) {
		end_pattern(r);
		return begin_pattern(r);
	}
	while (row < FR_ROW_COUNT && !is(w, fr_row_name[row]))
		row++;
	if (row == FR_ROW_COUNT)
		return FAIL(r, w, "'%.*s' is not a row: pattern, E, O, T, SV, AR or AT", WORD(w));
	if (!r->name.s) {
		r->name = *w; /* report a missing name only once */
		return FAIL(r, w, "row %s before the first 'pattern NAME'", fr_row_name[row]);
	}
	if (r->head[row].s)
		return FAIL(r, w, "two rows %s", fr_row_name[row]);
	r->head[row] = *w;
	if (row == FR_ROW_E)
		return see_events(r);
	for (size_t i = 1; i < r->word.n; i++)
		fr_vec_push(&r->row[row], w[i]);
	return 0;
}

bool fr_rows_begin(const char *text, size_t n)
{
	size_t i = 0, k;

	bool comment = false;

	for (;;) {
		while (i < n && isspace((unsigned char)text[i]))
			i++;
		if (i == n || text[i] != '#')
			break;
		comment = true;
		while (i < n && text[i] != '\n')
			i++;
	}
	if (i == n)
		return comment;
	for (k = i; k < n && isalnum((unsigned char)text[k]);)
		k++;
	for (enum fr_row row = 0; row < FR_ROW_COUNT; row++)
		if (strlen(fr_row_name[row]) == k - i &&
		    !strncmp(text + i, fr_row_name[row], k - i))
			return true;
	return k - i == strlen("pattern") && !strncmp(text + i, "pattern", k - i);
}

void fr_parse_rows(struct fr_lex *l)
{
	struct rows_reader r = {.l = l, .s = l->spec->text, .end = l->spec->text + l->spec->n};

	while (r.s < r.end)
		if (next_line(&r) || see_line(&r))
			r.wrong = true;
	end_pattern(&r);
	if (!l->spec->rows.n && !l->spec->error.n) {
		struct rows_word at = {r.end, 0, fr_max(r.line, 1u), 1};

		(void)FAIL(&r, &at, FR_SPEC_EMPTY);
	}
	fr_vec_free(&r.word);
	fr_vec_free(&r.op);
	for (enum fr_row row = 0; row < FR_ROW_COUNT; row++)
		fr_vec_free(&r.row[row]);
}
