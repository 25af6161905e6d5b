/*
 * Output that varies between re-executions of one schedule.
 *
 * A field is a run of letters and digits with at least one digit: numbers, addresses, process ids,
 * times, and names made of them. A point or colon between two digits is part of the field: 4.745
 * and 12:30 are one value each. The shape of a line is its text without its fields. Lines are
 * counted by shape. Their order does not matter, as threads print in any order. For each shape:
 *
 * 1. If all references have the same lines, this text must have them too.
 * 2. The references have the same number of lines with different fields: ignore the fewest fields
 *    that make the references agree. Then the lines here must be the same. A field that varies may
 *    be any text without spaces here, so the line may have another shape; the text around the field
 *    must fit (struct line_pattern).
 * 3. The number of lines varies: in such a shape the program's words vary, not its fields. If the
 *    references have the same total number of such lines, so must this text; otherwise any number
 *    is accepted. Shapes that no reference has are accepted instead, as long as the number of all
 *    such lines is one that references have.
 */
#include "confirm/judge.h"
#include "base/assert.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define FIELDS 10 /* with more fields, all are ignored if one varies */

struct output_line {
	const char *s;
	size_t n;
	uint64_t shape;
	/* which text it is in: the references come first, then the text in question */
	uint32_t text;
};
typedef FR_VEC(struct output_line) line_vec;

static bool in_field(char c)
{
	return isalnum((unsigned char)c);
}

/* Is there a point or colon between digits at k > 0? */
static bool joins_digits(const char *s, size_t n, size_t k)
{
	return (s[k] == '.' || s[k] == ':') && k + 1 < n && isdigit((unsigned char)s[k - 1]) &&
	       isdigit((unsigned char)s[k + 1]);
}

/* Returns the length of the word at i. *ret_field: it has a digit. */
static size_t word(const char *s, size_t n, size_t i, bool *ret_field)
{
	size_t k = i;

	*ret_field = false;
	for (; k < n && (in_field(s[k]) || (k > i && joins_digits(s, n, k))); k++)
		*ret_field |= isdigit((unsigned char)s[k]) != 0;
	return k - i;
}

/* Returns a hash of the line without the fields whose bit in `ignored` is set. */
static uint64_t hash_line(const char *s, size_t n, uint32_t ignored, unsigned *ret_fields)
{
	unsigned fields = 0;
	uint64_t h = n ? 1 : 0;

	for (size_t i = 0, k; i < n; i += k) {
		bool field = false;

		k = in_field(s[i]) ? word(s, n, i, &field) : 1;
		if (field && ignored >> fr_min(fields, 31u) & 1)
			h = fr_hash_mix(h, '#');
		else
			h = fr_hash(h, s + i, k);
		fields += field;
	}
	if (ret_fields)
		*ret_fields = fields;
	return h;
}

static void split(const struct fr_output_text *t, uint32_t number, line_vec *ret)
{
	const char *s = t->s;

	for (size_t left = t->n, k; left; s += k, left -= k) {
		const char *end = memchr(s, '\n', left);

		k = end ? (size_t)(end - s) + 1 : left;
		fr_vec_push(
		    ret, ((struct output_line){s, k, hash_line(s, k, UINT32_MAX, NULL), number}));
	}
}

static int by_shape(const void *pa, const void *pb)
{
	const struct output_line *a = pa, *b = pb;

	if (a->shape != b->shape)
		return a->shape < b->shape ? -1 : 1;
	return (a->text > b->text) - (a->text < b->text);
}

static int by_number(const void *pa, const void *pb)
{
	uint64_t a = *(const uint64_t *)pa, b = *(const uint64_t *)pb;

	return (a > b) - (a < b);
}

/* The lines of one shape in one text. */
struct line_part {
	const struct output_line *v;
	size_t n;
};

/* Do two parts have the same lines, if these fields are ignored? */
static bool same(const struct line_part *a, const struct line_part *b, uint32_t ignored)
{
	FR_CLEANUP(fr_freep) uint64_t *x = NULL, *y = NULL;

	if (a->n != b->n)
		return false;
	if (!a->n)
		return true;
	x = fr_xcalloc(a->n, sizeof(*x));
	y = fr_xcalloc(b->n, sizeof(*y));
	for (size_t i = 0; i < a->n; i++) {
		x[i] = hash_line(a->v[i].s, a->v[i].n, ignored, NULL);
		y[i] = hash_line(b->v[i].s, b->v[i].n, ignored, NULL);
	}
	qsort(x, a->n, sizeof(*x), by_number);
	qsort(y, b->n, sizeof(*y), by_number);
	return !memcmp(x, y, a->n * sizeof(*x));
}

static bool references_agree(const struct line_part *p, size_t nrefs, uint32_t ignored)
{
	for (size_t i = 1; i < nrefs; i++)
		if (!same(&p[0], &p[i], ignored))
			return false;
	return true;
}

/* Returns the fewest fields to ignore so that the references agree. */
static uint32_t to_ignore(const struct line_part *p, size_t nrefs, unsigned fields)
{
	if (fields <= FIELDS)
		for (int bits = 0; bits <= (int)fields; bits++)
			for (uint32_t m = 0; m < UINT32_C(1) << fields; m++)
				if (__builtin_popcount(m) == bits && references_agree(p, nrefs, m))
					return m;
	return references_agree(p, nrefs, 0) ? 0 : UINT32_MAX;
}

/* ---- lines with another shape because a field that varies has other characters ---- */

#define ANY 256 /* one or more characters that are not spaces */

/* A line of a reference, with ANY instead of each field that varies. */
struct line_pattern {
	uint16_t *c;
	size_t n, fixed; /* fixed: number of entries that are not ANY */
};

static struct line_pattern pattern_of(const struct output_line *l, uint32_t ignored)
{
	struct line_pattern p = {.c = fr_xcalloc(l->n + 1, sizeof(*p.c))};
	unsigned fields = 0;

	for (size_t i = 0, k; i < l->n; i += k) {
		bool field = false;

		k = in_field(l->s[i]) ? word(l->s, l->n, i, &field) : 1;
		if (field && ignored >> fr_min(fields, 31u) & 1)
			p.c[p.n++] = ANY;
		else
			for (size_t x = 0; x < k; x++, p.fixed++)
				p.c[p.n++] = (unsigned char)l->s[i + x];
		fields += field;
	}
	fr_assert(p.fixed <= p.n && p.n <= l->n);
	return p;
}

/* Does the line match? If the text departs from the pattern, the last ANY takes one more character.
   An earlier ANY never has to: a space between them stays in place, and without one the last ANY
   can take as much. */
static bool fits(const struct line_pattern *p, const struct output_line *l)
{
	size_t i = 0, k = 0, any = SIZE_MAX, taken = 0;

	while (i < l->n || k < p->n) {
		if (i < l->n && k < p->n && p->c[k] == ANY && !isspace((unsigned char)l->s[i])) {
			any = k++;
			taken = ++i;
		} else if (i < l->n && k < p->n && p->c[k] == (unsigned char)l->s[i]) {
			i++;
			k++;
		} else if (any != SIZE_MAX && taken < l->n &&
			   !isspace((unsigned char)l->s[taken])) {
			k = any + 1;
			i = ++taken;
		} else {
			return false;
		}
	}
	return true;
}

/* The patterns with the most fixed text come first: they fit the fewest lines. */
static int by_fixed(const void *pa, const void *pb)
{
	const struct line_pattern *a = pa, *b = pb;

	return (a->fixed < b->fixed) - (a->fixed > b->fixed);
}

/* ---- all shapes ---- */

struct left {
	struct output_line line;
	bool taken;
};

struct tally {
	size_t nrefs;
	bool varies;   /* there is a shape whose number varies */
	bool unknown;  /* there are lines that no reference has */
	size_t *lines; /* by text: number of such lines */
	FR_VEC(struct line_pattern) pattern;
	FR_VEC(struct left) left; /* lines of the text in question without a counterpart so far */
};

static void keep(struct tally *t, const struct line_part *p)
{
	for (size_t i = 0; i < p->n; i++)
		fr_vec_push(&t->left, ((struct left){.line = p->v[i]}));
}

/* The lines of a shape differ. They may have another shape in this text. */
static void compare_later(struct tally *t, const struct line_part *p, uint32_t ignored)
{
	for (size_t i = 0; i < p[0].n; i++)
		fr_vec_push(&t->pattern, pattern_of(&p[0].v[i], ignored));
	keep(t, &p[t->nrefs]);
}

/* Does each pattern have a line? Lines without a pattern count like lines whose shape no reference
   has: they can only replace lines that vary. */
static bool patterns_fit(struct tally *t)
{
	if (t->pattern.n)
		qsort(t->pattern.v, t->pattern.n, sizeof(*t->pattern.v), by_fixed);
	FR_VEC_FOREACH (p, &t->pattern) {
		struct left *found = NULL;

		for (size_t i = 0; !found && i < t->left.n; i++)
			if (!t->left.v[i].taken && fits(p, &t->left.v[i].line))
				found = &t->left.v[i];
		if (!found)
			return false;
		found->taken = true;
	}
	t->unknown = false;
	FR_VEC_FOREACH (l, &t->left) {
		t->unknown |= !l->taken;
		t->lines[t->nrefs] += !l->taken;
	}
	return true;
}

static void tally_free(struct tally *t)
{
	FR_VEC_FOREACH (p, &t->pattern)
		free(p->c);
	fr_vec_free(&t->pattern);
	fr_vec_free(&t->left);
	free(t->lines);
}

/* Compares the lines of one shape. False: they differ. */
static bool shape_agrees(struct tally *t, const struct line_part *p)
{
	size_t n = t->nrefs;
	bool equal = true, none = true;
	uint32_t ignored;
	unsigned fields;

	for (size_t i = 0; i < n; i++) {
		equal &= p[i].n == p[0].n;
		none &= !p[i].n;
	}
	if (!equal || none) {
		t->varies |= !none;
		for (size_t i = 0; !none && i <= n; i++)
			t->lines[i] += p[i].n;
		if (none)
			keep(t, &p[n]);
		return true;
	}
	fr_assert(p[0].n);
	hash_line(p[0].v[0].s, p[0].v[0].n, 0, &fields);
	ignored = to_ignore(p, n, fields);
	if (same(&p[0], &p[n], ignored))
		return true;
	if (ignored)
		compare_later(t, p, ignored);
	return ignored != 0;
}

/* May lines that vary, and lines that no reference has, replace each other? */
static bool numbers_fit(const struct tally *t)
{
	size_t lo = SIZE_MAX, hi = 0, now = t->lines[t->nrefs];

	if (!t->varies)
		return !t->unknown;
	for (size_t i = 0; i < t->nrefs; i++) {
		lo = fr_min(lo, t->lines[i]);
		hi = fr_max(hi, t->lines[i]);
	}
	fr_assert(lo <= hi);
	return (lo != hi && !t->unknown) || (now >= lo && now <= hi);
}

bool fr_output_varies(const struct fr_output_text *ref, size_t nrefs,
		      const struct fr_output_text *now)
{
	struct line_part *p = fr_xcalloc(nrefs + 1, sizeof(*p));
	struct tally t = {.nrefs = nrefs, .lines = fr_xcalloc(nrefs + 1, sizeof(*t.lines))};
	line_vec all = {0};
	bool agrees = true;

	fr_assert(nrefs);
	for (size_t i = 0; i < nrefs; i++)
		split(&ref[i], (uint32_t)i, &all);
	split(now, (uint32_t)nrefs, &all);
	if (all.n)
		qsort(all.v, all.n, sizeof(*all.v), by_shape);
	for (size_t i = 0, k; agrees && i < all.n; i = k) {
		memset(p, 0, (nrefs + 1) * sizeof(*p));
		for (k = i; k < all.n && all.v[k].shape == all.v[i].shape; k++) {
			struct line_part *x = &p[all.v[k].text];

			fr_assert_slow(!x->n || x->v + x->n == &all.v[k]);
			x->v = x->n ? x->v : &all.v[k];
			x->n++;
		}
		agrees = shape_agrees(&t, p);
	}
	agrees = agrees && patterns_fit(&t) && numbers_fit(&t);
	fr_vec_free(&all);
	tally_free(&t);
	free(p);
	return agrees;
}
