/*
 * The canonical layout of a property file: four spaces of indentation, one event per line, names in
 * one column, a long pointcut broken before its operators, only the parentheses that are needed. A
 * comment on a line of its own stays before the member that follows it, and one at the end of a
 * line stays there. A comment inside a member moves before it. One empty line between members is
 * kept.
 *
 * Invariant: printing, parsing and printing again gives the same text.
 */
#include "spec/spec_lex.h"
#include <inttypes.h>
#include <string.h>

#define WIDTH 100
#define INDENT "    "

struct printer {
	const struct fr_spec *s;
	struct fr_buf *b;
	size_t comment; /* the next to print */
	uint32_t line;	/* of the source: the last that has been printed, 0 = none */
};

/* ---- comments ---- */

/* Begins a new line for something from this line of the source; after an empty one if the source
   has one too. */
static void new_line(struct printer *p, uint32_t line, const char *indent)
{
	if (p->line && line > p->line + 1)
		fr_buf_puts(p->b, "\n");
	fr_buf_puts(p->b, indent);
}

/* Prints the comments before this offset on lines of their own. */
static void comments_before(struct printer *p, uint32_t offset, const char *indent)
{
	for (; p->comment < p->s->comment.n; p->comment++) {
		const struct fr_spec_comment *c = &p->s->comment.v[p->comment];

		if (c->pos.offset >= offset)
			return;
		new_line(p, c->pos.line, indent);
		fr_buf_printf(p->b, "%s\n", c->s);
		p->line = c->end.line;
	}
}

/* Ends the line of a member, with the comments that stand behind it in the source. */
static void end_line(struct printer *p, const struct fr_spec_pos *end)
{
	p->line = end->line;
	for (; p->comment < p->s->comment.n; p->comment++) {
		const struct fr_spec_comment *c = &p->s->comment.v[p->comment];

		if (c->pos.line != end->line || c->pos.offset < end->offset)
			break;
		fr_buf_printf(p->b, " %s", c->s);
		p->line = c->end.line;
	}
	fr_buf_puts(p->b, "\n");
}

/* ---- expressions ---- */

static int precedence(enum fr_value_op op)
{
	switch (op) {
	case FR_VALUE_CONST:
	case FR_VALUE_PARAM:
		return 12;
	case FR_VALUE_NOT:
	case FR_VALUE_NEG:
	case FR_VALUE_INV:
		return 11;
	case FR_VALUE_IF:
		return 0;
#define FR_X(n, s, p)      \
	case FR_VALUE_##n: \
		return p;
		FR_VALUE_BINARY(FR_X)
#undef FR_X
	}
	return 0;
}

static const char *operator_of(enum fr_value_op op)
{
	switch (op) {
	case FR_VALUE_NOT:
		return "!";
	case FR_VALUE_NEG:
		return "-";
	case FR_VALUE_INV:
		return "~";
#define FR_X(n, s, p)      \
	case FR_VALUE_##n: \
		return s;
		FR_VALUE_BINARY(FR_X)
#undef FR_X
	default:
		return "";
	}
}

static void value(struct fr_buf *b, const struct fr_spec_expr *v, int least)
{
	int own = precedence(v->op);
	bool group = own < least;

	if (group)
		fr_buf_puts(b, "(");
	if (v->op == FR_VALUE_CONST || v->op == FR_VALUE_PARAM) {
		fr_buf_puts(b, v->text);
	} else if (v->op == FR_VALUE_IF) {
		value(b, v->a, 1);
		fr_buf_puts(b, " ? ");
		value(b, v->b, 0);
		fr_buf_puts(b, " : ");
		value(b, v->c, 0);
	} else if (!v->b) {
		fr_buf_puts(b, operator_of(v->op));
		value(b, v->a, own);
	} else {
		value(b, v->a, own);
		fr_buf_printf(b, " %s ", operator_of(v->op));
		value(b, v->b, own + 1);
	}
	if (group)
		fr_buf_puts(b, ")");
}

/* ---- pointcuts ---- */

static void binds(struct fr_buf *b, const struct fr_pointcut *c)
{
	FR_VEC_FOREACH (x, &c->bind)
		fr_buf_printf(b, "%s%s", x == c->bind.v ? "" : ", ",
			      x->kind == FR_BIND_ANY	? "_"
			      : x->kind == FR_BIND_REST ? ".."
							: x->name.s);
}

static const char *word_of(enum fr_cut_kind kind)
{
	static const char *const word[] = {
#define FR_X(n, s) [FR_POINT_##n] = s,
		FR_POINT_KINDS(FR_X)
#undef FR_X
		    [FR_POINT_ARGS] = "args",
		[FR_POINT_RETURNS] = "returns",
		[FR_POINT_TARGET] = "target",
		[FR_POINT_OBJECT] = "object",
		[FR_POINT_BLOCK] = "block",
		[FR_POINT_SHARED] = "shared",
		[FR_POINT_ATOMIC] = "atomic",
		[FR_POINT_IF] = "if",
		[FR_POINT_WITHIN] = "within"
	};

	fr_assert(kind < fr_array_size(word));
	return word[kind];
}

/* `separator` is printed before the && and || of the outermost level. */
static void pointcut(struct fr_buf *b, const struct fr_pointcut *c, int least,
		     const char *separator)
{
	int own = c->kind == FR_POINT_OR ? 1 : c->kind == FR_POINT_AND ? 2 : 3;

	if (own < least) {
		fr_buf_puts(b, "(");
		pointcut(b, c, 0, " ");
		fr_buf_puts(b, ")");
	} else if (c->kind == FR_POINT_NOT) {
		fr_buf_puts(b, "!");
		pointcut(b, c->a, 3, " ");
	} else if (c->kind == FR_POINT_AND || c->kind == FR_POINT_OR) {
		pointcut(b, c->a, own, c->a->kind == c->kind ? separator : " ");
		fr_buf_printf(b, "%s%s ", separator, c->kind == FR_POINT_AND ? "&&" : "||");
		pointcut(b, c->b, own + 1, " ");
	} else {
		fr_buf_puts(b, word_of(c->kind));
		if (c->kind == FR_POINT_MARK)
			fr_buf_printf(b, "(\"%s\")", c->glob);
		else if (c->glob)
			fr_buf_printf(b, "(%s)", c->glob);
		if (c->kind == FR_POINT_ARGS || c->bind.n) {
			fr_buf_puts(b, "(");
			binds(b, c);
			if (c->has_distance)
				fr_buf_printf(b, ", %" PRIu64, c->distance);
			fr_buf_puts(b, ")");
		}
		if (c->value) {
			fr_buf_puts(b, "(");
			value(b, c->value, 0);
			fr_buf_puts(b, ")");
		}
	}
}

/* ---- patterns and formulas ---- */

static int level(enum fr_formula_op op)
{
	switch (op) {
	case FR_FM_EITHER:
	case FR_FM_IMPLIES:
		return 1;
	case FR_FM_BOTH:
	case FR_FM_OR:
		return 2;
	case FR_FM_SEQUENCE:
	case FR_FM_AND:
		return 3;
	case FR_FM_AT_ONCE:
	case FR_FM_UNTIL:
	case FR_FM_WEAK:
	case FR_FM_SINCE:
		return 4;
	case FR_FM_MAYBE:
	case FR_FM_STAR:
	case FR_FM_PLUS:
		return 6;
	case FR_FM_EVENT:
	case FR_FM_TRUE:
	case FR_FM_FALSE:
		return 7;
	default: /* prefixes */
		return 5;
	}
}

/* The operator as printed between operands, before the operand, or behind it. */
static const char *sign_of(enum fr_formula_op op)
{
	static const char *const sign[] = {
	    [FR_FM_SEQUENCE] = " ",    [FR_FM_EITHER] = " | ",	 [FR_FM_BOTH] = " && ",
	    [FR_FM_AT_ONCE] = " || ",  [FR_FM_MAYBE] = "?",	 [FR_FM_STAR] = "*",
	    [FR_FM_PLUS] = "+",	       [FR_FM_NOT] = "!",	 [FR_FM_AND] = " && ",
	    [FR_FM_OR] = " || ",       [FR_FM_IMPLIES] = " -> ", [FR_FM_ALWAYS] = "[]",
	    [FR_FM_EVENTUALLY] = "<>", [FR_FM_NEXT] = "X ",	 [FR_FM_UNTIL] = " U ",
	    [FR_FM_WEAK] = " W ",      [FR_FM_SO_FAR] = "[*]",	 [FR_FM_ONCE] = "<*>",
	    [FR_FM_BEFORE] = "Y ",     [FR_FM_SINCE] = " S ",
	};

	fr_assert(op < fr_array_size(sign) && sign[op]);
	return sign[op];
}

static void event(struct fr_buf *b, const struct fr_property *p, const struct fr_formula *f)
{
	const char *comma = "(";

	fr_buf_puts(b, p->event.v[f->event]->name.s);
	if (f->thread != FR_NO_NAME) {
		fr_buf_printf(b, "%s%s", comma, p->thread.v[f->thread].s);
		comma = ", ";
	}
	if (f->opens != FR_NO_NAME) {
		fr_buf_printf(b, "%s<%s", comma, p->region.v[f->opens].s);
		comma = ", ";
	}
	if (f->closes != FR_NO_NAME) {
		fr_buf_printf(b, "%s>%s", comma, p->region.v[f->closes].s);
		comma = ", ";
	}
	if (comma[0] == ',')
		fr_buf_puts(b, ")");
}

static void formula(struct fr_buf *b, const struct fr_property *p, const struct fr_formula *f,
		    int least)
{
	int own = level(f->op);
	/* Binary operators of formulas group to the right; lists are flat. */
	bool right = f->op == FR_FM_IMPLIES || f->op == FR_FM_UNTIL || f->op == FR_FM_WEAK ||
		     f->op == FR_FM_SINCE;

	if (own < least)
		fr_buf_puts(b, "(");
	if (f->op == FR_FM_EVENT) {
		event(b, p, f);
	} else if (f->op == FR_FM_TRUE || f->op == FR_FM_FALSE) {
		fr_buf_puts(b, f->op == FR_FM_TRUE ? "true" : "false");
	} else if (own == 6) {
		formula(b, p, f->sub.v[0], 6);
		fr_buf_puts(b, sign_of(f->op));
	} else if (own == 5) {
		fr_buf_puts(b, sign_of(f->op));
		formula(b, p, f->sub.v[0], 5);
	} else {
		for (size_t i = 0; i < f->sub.n; i++) {
			if (i)
				fr_buf_puts(b, sign_of(f->op));
			formula(b, p, f->sub.v[i], right && i ? own : own + 1);
		}
	}
	if (own < least)
		fr_buf_puts(b, ")");
}

/* ---- properties ---- */

static void params(struct fr_buf *b, const struct fr_spec_param *v, size_t n)
{
	fr_buf_puts(b, "(");
	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(v[i].type);

		fr_buf_printf(b, "%s%s%s%s", i ? ", " : "", v[i].type,
			      v[i].type[len - 1] == '*' ? "" : " ", v[i].name.s);
	}
	fr_buf_puts(b, ")");
}

/* The event's name with its parameters. */
static void title(struct fr_buf *b, const struct fr_spec_event *e)
{
	fr_buf_puts(b, e->name.s);
	if (e->param.n)
		params(b, e->param.v, e->param.n);
}

static void print_event(struct printer *p, const struct fr_spec_event *e, size_t width, bool before)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf name = {0}, cut = {0}, line = {0};

	title(&name, e);
	fr_buf_printf(&line, "event %-*s ", (int)width, name.s);
	if (e->when != FR_WHEN_NONE)
		fr_buf_printf(&line, "%-*s ", before ? 6 : 5,
			      e->when == FR_WHEN_BEFORE ? "before" : "after");
	pointcut(&cut, e->cut, 0, " ");
	if (strlen(INDENT) + line.n + cut.n + 1 > WIDTH) {
		fr_buf_free(&cut);
		pointcut(&cut, e->cut, 0, "\n" INDENT INDENT);
	}
	comments_before(p, e->end.offset, INDENT);
	new_line(p, e->begin.line, INDENT);
	fr_buf_printf(p->b, "%s%s;", line.s, cut.s);
	end_line(p, &e->end);
}

static void print_property(struct printer *p, const struct fr_property *q)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf body = {0};
	struct fr_spec_pos head = q->event.n ? q->event.v[0]->begin : q->body_begin;
	size_t width = 0;
	bool before = false;

	FR_VEC_FOREACH (e, &q->event) {
		FR_CLEANUP(fr_buf_free) struct fr_buf name = {0};

		title(&name, *e);
		width = fr_max(width, name.n);
		before |= (*e)->when == FR_WHEN_BEFORE;
	}
	fr_buf_printf(p->b, "property %s", q->name.s);
	params(p->b, q->param.v, q->param.n);
	fr_buf_puts(p->b, " {\n");
	p->line = 0;
	comments_before(p, head.offset, INDENT);
	FR_VEC_FOREACH (e, &q->event)
		print_event(p, *e, width, before);
	comments_before(p, q->body_end.offset, INDENT);
	new_line(p, q->body_begin.line, INDENT);
	formula(&body, q, q->body, 0);
	fr_buf_printf(p->b, "%s %s", q->is_ltl ? "ltl:" : "pattern:", body.s);
	end_line(p, &q->body_end);
	comments_before(p, q->close.offset, INDENT);
	fr_buf_puts(p->b, "}");
	end_line(p, &q->end);
}

void fr_spec_print(const struct fr_spec *s, struct fr_buf *ret)
{
	struct printer p = {.s = s, .b = ret};

	fr_assert(!s->error.n);
	if (s->rows.n) {
		fr_rows_print(s, ret);
		return;
	}
	FR_VEC_FOREACH (q, &s->property) {
		bool first = q == s->property.v;
		size_t n = p.comment;

		if (!first)
			fr_buf_puts(ret, "\n");
		p.line = 0;
		comments_before(&p, (*q)->begin.offset, "");
		if (n < p.comment && (*q)->begin.line > p.line + 1)
			fr_buf_puts(ret, "\n");
		print_property(&p, *q);
	}
	if (p.comment < s->comment.n)
		fr_buf_puts(ret, "\n");
	p.line = 0;
	comments_before(&p, UINT32_MAX, "");
}

/* ---- functions ---- */

static void functions(const struct fr_pointcut *c, struct fr_buf *ret)
{
	if ((c->kind == FR_POINT_CALL || c->kind == FR_POINT_EXECUTION) && c->glob) {
		size_t n = strlen(c->glob);

		for (const char *p = ret->s; p && (p = strstr(p, c->glob)); p++)
			if ((p == ret->s || p[-1] == ',') && (!p[n] || p[n] == ','))
				return;
		fr_buf_printf(ret, "%s%s", ret->n ? "," : "", c->glob);
	}
	if (c->a)
		functions(c->a, ret);
	if (c->b)
		functions(c->b, ret);
}

void fr_spec_functions(const struct fr_spec *s, struct fr_buf *ret)
{
	FR_VEC_FOREACH (p, &s->property)
		FR_VEC_FOREACH (e, &(*p)->event)
			if ((*e)->cut)
				functions((*e)->cut, ret);
}
