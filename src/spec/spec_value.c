/*
 * The expressions of `if`: C's operators, with C's precedence, over parameters and integers. All
 * values have 64 bits. An operation is unsigned if one of its operands is; pointers are unsigned.
 */
#include "spec/spec_lex.h"
#include "base/assert.h"
#include <string.h>

static const struct binary {
	const char *token;
	enum fr_value_op op;
	int precedence;
} binaries[] = {
#define FR_X(n, s, p) {s, FR_VALUE_##n, p},
    FR_VALUE_BINARY(FR_X)
#undef FR_X
};

static struct fr_spec_expr *new(struct fr_lex *l, enum fr_value_op op, struct fr_spec_pos pos)
{
	struct fr_spec_expr *v = fr_spec_alloc(l->spec, sizeof(*v));

	v->op = op;
	v->pos = pos;
	return v;
}

static struct fr_spec_expr *ternary(struct fr_lex *l);

static struct fr_spec_expr *parameter(struct fr_lex *l)
{
	struct fr_spec_expr *v = new (l, FR_VALUE_PARAM, l->token.pos);
	const struct fr_property *p = l->property;

	v->text = fr_spec_string(l->spec, l->token.s, l->token.n);
	v->param = fr_parse_param(l, &l->token);
	fr_assert(v->param == FR_NO_NAME || v->param < p->param.n + l->event->param.n);
	if (v->param != FR_NO_NAME)
		v->is_unsigned = v->param < p->param.n
				     ? p->param.v[v->param].is_unsigned
				     : l->event->param.v[v->param - p->param.n].is_unsigned;
	fr_lex_next(l);
	return v;
}

static struct fr_spec_expr *constant(struct fr_lex *l, uint64_t number, bool is_unsigned)
{
	struct fr_spec_expr *v = new (l, FR_VALUE_CONST, l->token.pos);

	v->text = fr_spec_string(l->spec, l->token.s, l->token.n);
	v->number = number;
	v->is_unsigned = is_unsigned;
	fr_lex_next(l);
	return v;
}

static struct fr_spec_expr *atom(struct fr_lex *l)
{
	static const struct {
		const char *token;
		enum fr_value_op op;
	} unary[] = {{"!", FR_VALUE_NOT}, {"-", FR_VALUE_NEG}, {"~", FR_VALUE_INV}};
	const struct fr_token *t = &l->token;
	struct fr_spec_expr *v;

	for (size_t i = 0; i < fr_array_size(unary); i++) {
		if (!fr_lex_is(l, unary[i].token))
			continue;
		v = new (l, unary[i].op, t->pos);
		fr_lex_next(l);
		if (!fr_lex_enter(l))
			return NULL;
		v->a = atom(l);
		fr_lex_leave(l);
		return v->a ? v : NULL;
	}
	if (fr_lex_take(l, "(")) {
		v = ternary(l);
		return v && fr_lex_expect(l, ")", "to close the group") ? v : NULL;
	}
	if (t->kind == FR_TOKEN_NUMBER)
		return constant(l, t->number,
				t->number > INT64_MAX || memchr(t->s, 'u', t->n) ||
				    memchr(t->s, 'U', t->n));
	if (fr_lex_is(l, "NULL"))
		return constant(l, 0, true);
	if (fr_lex_is(l, "true") || fr_lex_is(l, "false"))
		return constant(l, fr_lex_is(l, "true"), false);
	if (t->kind == FR_TOKEN_NAME)
		return parameter(l);
	fr_lex_expected(l, "a parameter, a number, NULL, or an operator !, - or ~");
	return NULL;
}

static const struct binary *next_binary(const struct fr_lex *l)
{
	for (size_t i = 0; i < fr_array_size(binaries); i++)
		if (fr_lex_is(l, binaries[i].token))
			return &binaries[i];
	return NULL;
}

/* Operators of at least this precedence. */
static struct fr_spec_expr *binary(struct fr_lex *l, int least)
{
	struct fr_spec_expr *a = atom(l);
	const struct binary *o;

	while (a && (o = next_binary(l)) && o->precedence >= least) {
		struct fr_spec_expr *v = new (l, o->op, a->pos);

		fr_lex_next(l);
		v->a = a;
		v->b = binary(l, o->precedence + 1);
		a = v->b ? v : NULL;
	}
	return a;
}

static struct fr_spec_expr *ternary(struct fr_lex *l)
{
	struct fr_spec_expr *a, *v;

	if (!fr_lex_enter(l))
		return NULL;
	a = binary(l, 1);
	if (a && fr_lex_take(l, "?")) {
		v = new (l, FR_VALUE_IF, a->pos);
		v->a = a;
		v->b = ternary(l);
		if (!v->b || !fr_lex_expect(l, ":", "after the second operand of '?'"))
			return NULL;
		v->c = ternary(l);
		a = v->c ? v : NULL;
	}
	fr_lex_leave(l);
	return a;
}

struct fr_spec_expr *fr_parse_value(struct fr_lex *l)
{
	return ternary(l);
}

/* ---- evaluation ---- */

struct number {
	uint64_t v;
	bool is_unsigned;
};

static bool of(const struct fr_spec_expr *v, const uint64_t *value, uint32_t bound,
	       struct number *ret);

static bool divide(bool rem, struct number a, struct number b, bool u, uint64_t *ret)
{
	if (!b.v)
		return false;
	if (u)
		*ret = rem ? a.v % b.v : a.v / b.v;
	else if (b.v == UINT64_MAX) /* -1: the quotient may overflow */
		*ret = rem ? 0 : -a.v;
	else
		*ret = (uint64_t)(rem ? (int64_t)a.v % (int64_t)b.v : (int64_t)a.v / (int64_t)b.v);
	return true;
}

static uint64_t shift_right(struct number a, uint64_t n)
{
	if (n > 63)
		return !a.is_unsigned && (int64_t)a.v < 0 ? UINT64_MAX : 0;
	return a.is_unsigned ? a.v >> n : (uint64_t)((int64_t)a.v >> n);
}

static bool compute(enum fr_value_op op, struct number a, struct number b, struct number *ret)
{
	bool u = a.is_unsigned || b.is_unsigned;
	bool less = u ? a.v < b.v : (int64_t)a.v < (int64_t)b.v;
	bool more = u ? a.v > b.v : (int64_t)a.v > (int64_t)b.v;

	*ret = (struct number){0, u};
	switch (op) {
	case FR_VALUE_BIT_OR:
		ret->v = a.v | b.v;
		return true;
	case FR_VALUE_BIT_XOR:
		ret->v = a.v ^ b.v;
		return true;
	case FR_VALUE_BIT_AND:
		ret->v = a.v & b.v;
		return true;
	case FR_VALUE_SHL:
		*ret = (struct number){b.v > 63 ? 0 : a.v << b.v, a.is_unsigned};
		return true;
	case FR_VALUE_SHR:
		*ret = (struct number){shift_right(a, b.v), a.is_unsigned};
		return true;
	case FR_VALUE_ADD:
		ret->v = a.v + b.v;
		return true;
	case FR_VALUE_SUB:
		ret->v = a.v - b.v;
		return true;
	case FR_VALUE_MUL:
		ret->v = a.v * b.v;
		return true;
	case FR_VALUE_DIV:
	case FR_VALUE_REM:
		return divide(op == FR_VALUE_REM, a, b, u, &ret->v);
	default:
		break;
	}
	fr_assert(op >= FR_VALUE_EQ && op <= FR_VALUE_GE);
	ret->is_unsigned = false;
	ret->v = op == FR_VALUE_EQ   ? a.v == b.v
		 : op == FR_VALUE_NE ? a.v != b.v
		 : op == FR_VALUE_LT ? less
		 : op == FR_VALUE_GT ? more
		 : op == FR_VALUE_LE ? !more
				     : !less;
	return true;
}

/* && and || do not need their second operand always. */
static bool lazily(const struct fr_spec_expr *v, const uint64_t *value, uint32_t bound,
		   struct number *ret)
{
	struct number a, b;

	if (!of(v->a, value, bound, &a))
		return false;
	*ret = (struct number){a.v != 0, false};
	if ((a.v != 0) == (v->op == FR_VALUE_OR))
		return true;
	if (!of(v->b, value, bound, &b))
		return false;
	ret->v = b.v != 0;
	return true;
}

static bool of(const struct fr_spec_expr *v, const uint64_t *value, uint32_t bound,
	       struct number *ret)
{
	struct number a, b;

	switch (v->op) {
	case FR_VALUE_CONST:
		*ret = (struct number){v->number, v->is_unsigned};
		return true;
	case FR_VALUE_PARAM:
		fr_assert_slow(v->param < FR_SPEC_PARAMS);
		if (!(bound >> v->param & 1))
			return false;
		*ret = (struct number){value[v->param], v->is_unsigned};
		return true;
	case FR_VALUE_AND:
	case FR_VALUE_OR:
		return lazily(v, value, bound, ret);
	case FR_VALUE_IF:
		return of(v->a, value, bound, &a) && of(a.v ? v->b : v->c, value, bound, ret);
	case FR_VALUE_NOT:
	case FR_VALUE_NEG:
	case FR_VALUE_INV:
		if (!of(v->a, value, bound, &a))
			return false;
		*ret = v->op == FR_VALUE_NOT   ? (struct number){!a.v, false}
		       : v->op == FR_VALUE_NEG ? (struct number){-a.v, a.is_unsigned}
					       : (struct number){~a.v, a.is_unsigned};
		return true;
	default:
		return of(v->a, value, bound, &a) && of(v->b, value, bound, &b) &&
		       compute(v->op, a, b, ret);
	}
}

bool fr_value_of(const struct fr_spec_expr *v, const uint64_t *value, uint32_t bound, uint64_t *ret)
{
	struct number n;

	if (!of(v, value, bound, &n))
		return false;
	*ret = n.v;
	return true;
}
