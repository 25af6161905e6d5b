/*
 * Pointcuts: an expression with &&, || and ! over primitives such as call(list_*) and args(c, ..).
 * && binds more tightly than ||, as in C.
 */
#include "spec/spec_lex.h"
#include <string.h>

static const struct primitive {
	const char *word, *example; /* of a glob; NULL: takes none */
	enum fr_cut_kind kind;
	bool bare; /* may stand without (...) */
} primitives[] = {
    {"call", "list_add*", FR_POINT_CALL, false},
    {"execution", "deposit", FR_POINT_EXECUTION, false},
    {"get", "balance or account.balance", FR_POINT_GET, false},
    {"set", "balance or account.balance", FR_POINT_SET, false},
    {"lock", "queue_mutex, or * for any", FR_POINT_LOCK, true},
    {"unlock", "queue_mutex, or * for any", FR_POINT_UNLOCK, true},
    {"shared", NULL, FR_POINT_SHARED, true},
    {"atomic", NULL, FR_POINT_ATOMIC, true},
    {"alloc", NULL, FR_POINT_ALLOC, true},
    {"free", NULL, FR_POINT_FREE, true},
    {"mark", NULL, FR_POINT_MARK, false},
    {"args", NULL, FR_POINT_ARGS, false},
    {"returns", NULL, FR_POINT_RETURNS, false},
    {"target", NULL, FR_POINT_TARGET, false},
    {"object", NULL, FR_POINT_OBJECT, false},
    {"block", NULL, FR_POINT_BLOCK, false},
    {"if", NULL, FR_POINT_IF, false},
    {"within", "withdraw or bank.c", FR_POINT_WITHIN, false},
};

static struct fr_pointcut *new(struct fr_lex *l, enum fr_cut_kind kind, struct fr_spec_pos pos)
{
	struct fr_pointcut *c = fr_spec_alloc(l->spec, sizeof(*c));

	c->kind = kind;
	c->pos = pos;
	return c;
}

/* Notes that an event binds the parameter. */
static void bound(struct fr_lex *l, uint32_t param)
{
	size_t n = l->property->param.n;

	fr_assert(param < n + l->event->param.n);
	(param < n ? &l->property->param.v[param] : &l->event->param.v[param - n])->bound = true;
}

/* One element of args(...), returns(...), target(...), object(...) or block(...). */
static bool bind(struct fr_lex *l, struct fr_pointcut *c)
{
	struct fr_spec_bind b = {.kind = FR_BIND_ANY};

	b.name.pos = l->token.pos;
	if (fr_lex_is(l, "..")) {
		b.kind = FR_BIND_REST;
		if (c->kind != FR_POINT_ARGS)
			fr_lex_error(l, l->token.pos, "'..' is for args(); write one parameter");
	} else if (!fr_lex_is(l, "_") && !fr_lex_is(l, "*")) {
		if (l->token.kind != FR_TOKEN_NAME) {
			fr_lex_expected(l, c->kind == FR_POINT_ARGS
					       ? "a parameter, _ for any value, or .. for the rest"
					       : "a parameter");
			return false;
		}
		b.kind = FR_BIND_PARAM;
		b.param = fr_parse_param(l, &l->token);
		b.name.s = fr_spec_string(l->spec, l->token.s, l->token.n);
		if (b.param != FR_NO_NAME)
			bound(l, b.param);
	}
	if (c->bind.n && c->bind.v[c->bind.n - 1].kind == FR_BIND_REST)
		fr_lex_error(l, l->token.pos,
			     "nothing can follow '..': it stands for all the rest");
	fr_lex_next(l);
	fr_vec_push(&c->bind, b);
	return true;
}

/* The number in object(a, 8). */
static bool distance(struct fr_lex *l, struct fr_pointcut *c)
{
	if (l->token.kind != FR_TOKEN_NUMBER) {
		fr_lex_expected(l, "the number of bytes from the start of the object, such as 8");
		return false;
	}
	c->has_distance = true;
	c->distance = l->token.number;
	fr_lex_next(l);
	return true;
}

static bool binds(struct fr_lex *l, struct fr_pointcut *c)
{
	bool ok = true;

	fr_lex_next(l); /* ( */
	if (c->kind != FR_POINT_ARGS || !fr_lex_is(l, ")"))
		do
			ok = bind(l, c);
		while (ok && c->kind == FR_POINT_ARGS && fr_lex_take(l, ","));
	fr_spec_own(l->spec, &c->bind);
	if (ok && c->kind == FR_POINT_OBJECT && fr_lex_take(l, ","))
		ok = distance(l, c);
	return ok && fr_lex_expect(l, ")",
				   c->kind == FR_POINT_ARGS ? "after the arguments"
							    : "after the parameter");
}

/* mark("name") */
static bool mark(struct fr_lex *l, struct fr_pointcut *c)
{
	fr_lex_next(l);
	if (l->token.kind != FR_TOKEN_STRING) {
		fr_lex_expected(l, "the name of a FORERUN_EVENT in quotes, such as \"auth\"");
		return false;
	}
	c->glob = fr_spec_string(l->spec, l->token.s + 1, l->token.n - 2);
	fr_lex_next(l);
	return fr_lex_expect(l, ")", "after the name");
}

static bool condition(struct fr_lex *l, struct fr_pointcut *c)
{
	fr_lex_next(l);
	c->value = fr_parse_value(l);
	return c->value && fr_lex_expect(l, ")", "after the expression");
}

static bool inside(struct fr_lex *l, const struct primitive *p, struct fr_pointcut *c)
{
	switch (p->kind) {
	case FR_POINT_ARGS:
	case FR_POINT_RETURNS:
	case FR_POINT_TARGET:
	case FR_POINT_OBJECT:
	case FR_POINT_BLOCK:
		return binds(l, c);
	case FR_POINT_MARK:
		return mark(l, c);
	case FR_POINT_IF:
		return condition(l, c);
	case FR_POINT_ALLOC:
	case FR_POINT_FREE:
		fr_lex_next(l);
		return fr_lex_expect(l, ")", "directly: write alloc and target(x)");
	case FR_POINT_SHARED:
	case FR_POINT_ATOMIC:
		fr_lex_error(l, l->token.pos, "%s has no parameter: write %s(GLOB) && %s", p->word,
			     p->kind == FR_POINT_SHARED ? "lock" : "get", p->word);
		l->silent = true;
		return false;
	default:
		c->glob = fr_lex_glob(l, p->example);
		return c->glob && fr_lex_expect(l, ")", "after the name; write two with ||");
	}
}

static struct fr_pointcut *primitive(struct fr_lex *l)
{
	const struct primitive *p = NULL;
	struct fr_pointcut *c;

	for (size_t i = 0; i < fr_array_size(primitives) && !p; i++)
		if (fr_lex_is(l, primitives[i].word))
			p = &primitives[i];
	if (!p) {
		fr_lex_expected(
		    l,
		    "a pointcut: call(...), execution(...), get(...), set(...), "
		    "lock, unlock, shared, atomic, alloc, free, mark(\"...\"), args(...), "
		    "returns(...), target(...), object(...), block(...), if(...) or within(...)");
		return NULL;
	}
	c = new (l, p->kind, l->token.pos);
	fr_lex_next(l);
	if (!fr_lex_is(l, "(")) {
		if (p->bare)
			return c;
		fr_lex_expected(l, "'(' after '%s'", p->word);
		return NULL;
	}
	return inside(l, p, c) ? c : NULL;
}

static struct fr_pointcut *either(struct fr_lex *l);

static struct fr_pointcut *unary(struct fr_lex *l)
{
	struct fr_pointcut *c = NULL, *a;
	struct fr_spec_pos pos = l->token.pos;

	if (!fr_lex_enter(l))
		return NULL;
	if (fr_lex_take(l, "!")) {
		a = unary(l);
		if (a) {
			c = new (l, FR_POINT_NOT, pos);
			c->a = a;
		}
	} else if (fr_lex_take(l, "(")) {
		c = either(l);
		if (c && !fr_lex_expect(l, ")", "to close the group"))
			c = NULL;
	} else {
		c = primitive(l);
	}
	fr_lex_leave(l);
	return c;
}

static struct fr_pointcut *join(struct fr_lex *l, enum fr_cut_kind kind,
				struct fr_pointcut *(*operand)(struct fr_lex *))
{
	struct fr_pointcut *c = operand(l), *b;

	while (c && fr_lex_is(l, kind == FR_POINT_AND ? "&&" : "||")) {
		struct fr_pointcut *x = new (l, kind, c->pos);

		fr_lex_next(l);
		b = operand(l);
		if (!b)
			return NULL;
		x->a = c;
		x->b = b;
		c = x;
	}
	return c;
}

static struct fr_pointcut *both(struct fr_lex *l)
{
	return join(l, FR_POINT_AND, unary);
}

static struct fr_pointcut *either(struct fr_lex *l)
{
	return join(l, FR_POINT_OR, both);
}

struct fr_pointcut *fr_parse_pointcut(struct fr_lex *l)
{
	struct fr_pointcut *c = either(l);

	if (c)
		c->end = l->last.end;
	return c;
}
