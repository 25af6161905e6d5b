/*
 * Patterns and temporal formulas.
 *
 * Patterns, loosest first: `|`, `&&`, sequence, `||` between events, prefix `!`, and the postfixes
 * `?`, `*` and `+`. Formulas, loosest first: `->`, `||`, `&&`, `U` `W` `S`, and the prefixes `!`,
 * `[]`, `<>`, `X`, `[*]`, `<*>` and `Y`.
 *
 * In a pattern, `(` directly after a name begins its attributes: a(t1) is an event of thread t1,
 * and a (b) is a sequence.
 */
#include "spec/spec_lex.h"
#include "base/assert.h"
#include <string.h>

static struct fr_formula *new(struct fr_lex *l, enum fr_formula_op op, struct fr_spec_pos pos)
{
	struct fr_formula *f = fr_spec_alloc(l->spec, sizeof(*f));

	f->op = op;
	f->pos = pos;
	f->thread = f->opens = f->closes = FR_NO_NAME;
	return f;
}

static struct fr_formula *unary(struct fr_lex *l, enum fr_formula_op op, struct fr_spec_pos pos,
				struct fr_formula *a)
{
	struct fr_formula *f = new (l, op, pos);

	fr_assert(a);
	fr_vec_push(&f->sub, a);
	fr_spec_own(l->spec, &f->sub);
	return f;
}

/* ---- events ---- */

static uint32_t find_event(struct fr_lex *l)
{
	const struct fr_token *t = &l->token;
	FR_CLEANUP(fr_buf_free) struct fr_buf known = {0};

	fr_assert(t->kind == FR_TOKEN_NAME);
	for (size_t i = 0; i < l->property->event.n; i++) {
		const char *name = l->property->event.v[i]->name.s;

		if (strlen(name) == t->n && !strncmp(name, t->s, t->n))
			return (uint32_t)i;
		fr_buf_printf(&known, "%s%s", i ? ", " : "", name);
	}
	fr_lex_error(l, t->pos, "unknown event '%.*s': %s%s", (int)fr_min(t->n, 40u), t->s,
		     known.n ? "the events of this property are "
			     : "the property declares no events",
		     known.n ? known.s : "");
	return FR_NO_NAME;
}

typedef FR_VEC(struct fr_spec_name) names;

/* The index of a thread or region name, which is new at its first use. */
static uint32_t variable(struct fr_lex *l, names *list, const char *what)
{
	const struct fr_token *t = &l->token;

	fr_assert(t->kind == FR_TOKEN_NAME && list->n <= FR_SPEC_VARIABLES);
	for (size_t i = 0; i < list->n; i++)
		if (strlen(list->v[i].s) == t->n && !strncmp(list->v[i].s, t->s, t->n))
			return (uint32_t)i;
	if (list->n == FR_SPEC_VARIABLES) {
		fr_lex_error(l, t->pos, "more than %d %s", FR_SPEC_VARIABLES, what);
		return 0;
	}
	fr_vec_push(list, ((struct fr_spec_name){fr_spec_string(l->spec, t->s, t->n), t->pos}));
	return (uint32_t)list->n - 1;
}

/* One of: thread, <region, >region. */
static bool attribute(struct fr_lex *l, struct fr_formula *f)
{
	bool opens = fr_lex_is(l, "<"), closes = fr_lex_is(l, ">");
	uint32_t *to = opens ? &f->opens : closes ? &f->closes : &f->thread;

	if (opens || closes)
		fr_lex_next(l);
	if (l->token.kind != FR_TOKEN_NAME) {
		fr_lex_expected(l, opens || closes
				       ? "the name of a region"
				       : "a thread such as t1, or a region such as <r1 or >r1");
		return false;
	}
	if (*to != FR_NO_NAME)
		fr_lex_error(l, l->token.pos, "an event has only one %s",
			     opens || closes ? "region that it opens, and one that it closes"
					     : "thread");
	*to = opens || closes ? variable(l, (names *)&l->property->region, "regions")
			      : variable(l, (names *)&l->property->thread, "threads");
	fr_lex_next(l);
	return true;
}

static struct fr_formula *event(struct fr_lex *l)
{
	struct fr_formula *f;

	if (l->token.kind != FR_TOKEN_NAME) {
		fr_lex_expected(l, "the name of an event");
		return NULL;
	}
	f = new (l, FR_FM_EVENT, l->token.pos);
	f->event = find_event(l);
	fr_lex_next(l);
	if (!fr_lex_is(l, "(") || !l->token.glued)
		return f;
	if (l->property->is_ltl) {
		fr_lex_error(l, l->token.pos,
			     "threads and regions are for 'pattern:', not for 'ltl:'");
		l->silent = true;
		return NULL;
	}
	fr_lex_next(l);
	do
		if (!attribute(l, f))
			return NULL;
	while (fr_lex_take(l, ","));
	return fr_lex_expect(l, ")", "after the attributes of the event") ? f : NULL;
}

/* A list of operands joined by an operator. `operator` NULL: they follow each other. */
static struct fr_formula *list(struct fr_lex *l, enum fr_formula_op op, const char *operator,
			       struct fr_formula * (*operand)(struct fr_lex *),
			       bool (*begins)(const struct fr_lex *))
{
	struct fr_formula *a = operand(l), *f;

	if (!a || !(operator? fr_lex_is(l, operator) : begins(l)))
		return a;
	f = new (l, op, a->pos);
	fr_vec_push(&f->sub, a);
	while (a && (operator? fr_lex_take(l, operator) : begins(l))) {
		a = operand(l);
		if (a)
			fr_vec_push(&f->sub, a);
	}
	fr_assert(!a || f->sub.n > 1);
	fr_spec_own(l->spec, &f->sub);
	return a ? f : NULL;
}

/* ---- patterns ---- */

static struct fr_formula *either(struct fr_lex *l);

static bool begins(const struct fr_lex *l)
{
	return l->token.kind == FR_TOKEN_NAME || fr_lex_is(l, "(") || fr_lex_is(l, "!");
}

static struct fr_formula *atom(struct fr_lex *l)
{
	struct fr_formula *f;

	if (l->token.kind == FR_TOKEN_NAME)
		return event(l);
	if (!fr_lex_is(l, "(")) {
		fr_lex_expected(l, "an event, '(' or '!'");
		return NULL;
	}
	fr_lex_next(l);
	f = either(l);
	if (f && !fr_lex_is(l, ")")) {
		fr_lex_expected(l, "an event, an operator, or ')' to close the group");
		return NULL;
	}
	if (f)
		fr_lex_next(l);
	return f;
}

static struct fr_formula *repeated(struct fr_lex *l)
{
	struct fr_spec_pos pos = l->token.pos;
	struct fr_formula *f = NULL, *a;
	unsigned n = 0;

	if (!fr_lex_enter(l))
		return NULL;
	if (fr_lex_take(l, "!")) {
		a = repeated(l);
		f = a ? unary(l, FR_FM_NOT, pos, a) : NULL;
		fr_lex_leave(l);
		return f;
	}
	f = atom(l);
	while (f && (fr_lex_is(l, "?") || fr_lex_is(l, "*") || fr_lex_is(l, "+"))) {
		enum fr_formula_op op = fr_lex_is(l, "?")   ? FR_FM_MAYBE
					: fr_lex_is(l, "*") ? FR_FM_STAR
							    : FR_FM_PLUS;

		if (++n > FR_SPEC_DEPTH) {
			fr_lex_error(l, l->token.pos, "more than %d operators on one event",
				     FR_SPEC_DEPTH);
			l->silent = true;
			return NULL;
		}
		f = unary(l, op, pos, f);
		fr_lex_next(l);
	}
	fr_lex_leave(l);
	return f;
}

static struct fr_formula *at_once(struct fr_lex *l)
{
	return list(l, FR_FM_AT_ONCE, "||", repeated, NULL);
}

static struct fr_formula *sequence(struct fr_lex *l)
{
	return list(l, FR_FM_SEQUENCE, NULL, at_once, begins);
}

static struct fr_formula *both(struct fr_lex *l)
{
	return list(l, FR_FM_BOTH, "&&", sequence, NULL);
}

static struct fr_formula *either(struct fr_lex *l)
{
	return list(l, FR_FM_EITHER, "|", both, NULL);
}

struct fr_formula *fr_parse_pattern(struct fr_lex *l)
{
	fr_assert(!l->property->is_ltl);
	return either(l);
}

/* ---- temporal formulas ---- */

static struct fr_formula *implies(struct fr_lex *l);

static struct fr_formula *prefix(struct fr_lex *l)
{
	static const struct {
		const char *token;
		enum fr_formula_op op;
	} ops[] = {{"!", FR_FM_NOT},   {"[]", FR_FM_ALWAYS},  {"<>", FR_FM_EVENTUALLY},
		   {"X", FR_FM_NEXT},  {"[*]", FR_FM_SO_FAR}, {"<*>", FR_FM_ONCE},
		   {"Y", FR_FM_BEFORE}};
	struct fr_spec_pos pos = l->token.pos;
	struct fr_formula *f = NULL, *a;
	size_t i = 0;

	if (!fr_lex_enter(l))
		return NULL;
	while (i < fr_array_size(ops) && !fr_lex_is(l, ops[i].token))
		i++;
	if (i < fr_array_size(ops)) {
		fr_lex_next(l);
		a = prefix(l);
		f = a ? unary(l, ops[i].op, pos, a) : NULL;
	} else if (fr_lex_take(l, "(")) {
		f = implies(l);
		if (f && !fr_lex_is(l, ")")) {
			fr_lex_expected(l, "an operator, or ')' to close the group");
			f = NULL;
		}
		if (f)
			fr_lex_next(l);
	} else if (fr_lex_is(l, "true") || fr_lex_is(l, "false")) {
		f = new (l, fr_lex_is(l, "true") ? FR_FM_TRUE : FR_FM_FALSE, pos);
		fr_lex_next(l);
	} else if (l->token.kind == FR_TOKEN_NAME) {
		f = event(l);
	} else {
		fr_lex_expected(l, "an event, '(' or an operator: ! [] <> X [*] <*> Y");
	}
	fr_lex_leave(l);
	return f;
}

/* a op b, to the right. */
static struct fr_formula *binary(struct fr_lex *l, enum fr_formula_op op, struct fr_formula *a,
				 struct fr_formula *(*operand)(struct fr_lex *))
{
	struct fr_formula *f, *b;

	fr_lex_next(l);
	b = fr_lex_enter(l) ? operand(l) : NULL;
	if (!b)
		return NULL;
	fr_lex_leave(l);
	f = new (l, op, a->pos);
	fr_vec_push(&f->sub, a);
	fr_vec_push(&f->sub, b);
	fr_spec_own(l->spec, &f->sub);
	return f;
}

static struct fr_formula *until(struct fr_lex *l)
{
	struct fr_formula *a = prefix(l);

	if (!a)
		return NULL;
	return fr_lex_is(l, "U")   ? binary(l, FR_FM_UNTIL, a, until)
	       : fr_lex_is(l, "W") ? binary(l, FR_FM_WEAK, a, until)
	       : fr_lex_is(l, "S") ? binary(l, FR_FM_SINCE, a, until)
				   : a;
}

static struct fr_formula * and (struct fr_lex * l)
{
	return list(l, FR_FM_AND, "&&", until, NULL);
}

static struct fr_formula * or (struct fr_lex * l)
{
	return list(l, FR_FM_OR, "||", and, NULL);
}

static struct fr_formula *implies(struct fr_lex *l)
{
	struct fr_formula *a = or (l);

	return a && fr_lex_is(l, "->") ? binary(l, FR_FM_IMPLIES, a, implies) : a;
}

struct fr_formula *fr_parse_ltl(struct fr_lex *l)
{
	fr_assert(l->property->is_ltl);
	return implies(l);
}
