/*
 * Checks of the meaning of a property that has no syntax errors: kinds of events, bindings, threads
 * and regions, and whether its automaton can accept anything. Each message gives the correct form.
 */
#include "spec/spec_auto.h"
#include "spec/spec_lex.h"
#include <string.h>

#define CALLS (1u << FR_POINT_CALL | 1u << FR_POINT_EXECUTION)
#define MEMORY (1u << FR_POINT_ALLOC | 1u << FR_POINT_FREE)
#define ACCESSES (1u << FR_POINT_GET | 1u << FR_POINT_SET)
#define LOCKS (1u << FR_POINT_LOCK | 1u << FR_POINT_UNLOCK)

/* ---- pointcuts ---- */

/* The kinds of events that can satisfy the pointcut. *named: those that it names itself. */
static unsigned kinds_of(const struct fr_pointcut *c, unsigned *named)
{
	unsigned a, b, na = 0, nb = 0;

	switch (c->kind) {
	case FR_POINT_ARGS:
		return CALLS | ACCESSES | 1u << FR_POINT_MARK | 1u << FR_POINT_ALLOC;
	case FR_POINT_RETURNS:
		return CALLS;
	case FR_POINT_TARGET:
	case FR_POINT_OBJECT:
	case FR_POINT_BLOCK:
		return ACCESSES | LOCKS | MEMORY;
	case FR_POINT_SHARED:
		return LOCKS;
	case FR_POINT_ATOMIC:
		return ACCESSES;
	case FR_POINT_IF:
	case FR_POINT_WITHIN:
	case FR_POINT_NOT:
		return FR_POINT_ALL_KINDS;
	case FR_POINT_AND:
		a = kinds_of(c->a, &na);
		b = kinds_of(c->b, &nb);
		*named |= na | nb;
		return a & b;
	case FR_POINT_OR:
		a = kinds_of(c->a, &na);
		b = kinds_of(c->b, &nb);
		if (na && nb)
			*named |= na | nb;
		return a | b;
	default:
		*named = 1u << c->kind;
		return *named;
	}
}

/* Calls f for each node. */
static void walk(const struct fr_pointcut *c, bool negated, void *arg,
		 void (*f)(void *arg, const struct fr_pointcut *c, bool negated))
{
	f(arg, c, negated);
	if (c->a)
		walk(c->a, negated || c->kind == FR_POINT_NOT, arg, f);
	if (c->b)
		walk(c->b, negated, arg, f);
}

struct seen {
	struct fr_lex *l;
	const struct fr_spec_event *e;
	uint32_t bound; /* set of parameters */
};

static void see_binding(void *arg, const struct fr_pointcut *c, bool negated)
{
	struct seen *s = arg;

	FR_VEC_FOREACH (b, &c->bind) {
		if (b->kind != FR_BIND_PARAM)
			continue;
		s->bound |= 1u << b->param;
		if (negated)
			fr_lex_error(s->l, b->name.pos,
				     "'%s' is under '!', where nothing can be bound: write _, or "
				     "bind it outside and compare with if()",
				     b->name.s);
	}
	if (c->kind == FR_POINT_RETURNS && s->e->when == FR_WHEN_BEFORE)
		fr_lex_error(s->l, c->pos,
			     "'before' a call there is no result: write 'after' to use returns()");
}

static void see_value(struct seen *s, const struct fr_spec_expr *v)
{
	if (v->op == FR_VALUE_PARAM && !(s->bound >> v->param & 1))
		fr_lex_error(s->l, v->pos,
			     "event %s does not bind '%s': add args(), returns(), target() or "
			     "object() with it",
			     s->e->name.s, v->text);
	if (v->a)
		see_value(s, v->a);
	if (v->b)
		see_value(s, v->b);
	if (v->c)
		see_value(s, v->c);
}

static void see_condition(void *arg, const struct fr_pointcut *c, bool negated)
{
	(void)negated;
	if (c->value)
		see_value(arg, c->value);
}

static const char *word_of(unsigned kinds)
{
	static const char *const word[] = {
#define FR_X(n, s) s,
		FR_POINT_KINDS(FR_X)
#undef FR_X
	};

	for (unsigned i = 0; i < FR_POINT_KIND_COUNT; i++)
		if (kinds >> i & 1)
			return word[i];
	return "none";
}

static void check_event(struct fr_lex *l, struct fr_spec_event *e)
{
	struct seen s = {.l = l, .e = e};
	unsigned named = 0;

	e->kinds = kinds_of(e->cut, &named);
	if (!named) {
		fr_lex_error(l, e->cut->pos,
			     "event %s selects no kind of event: add call(), execution(), get(), "
			     "set(), lock, unlock, alloc, free or mark()",
			     e->name.s);
		return;
	}
	e->kinds &= named;
	if (!e->kinds) {
		fr_lex_error(
		    l, e->cut->pos,
		    "event %s can match nothing: its parts need different kinds of events "
		    "(args() is for calls, accesses, marks and alloc; returns() for calls; "
		    "target(), object() and block() for get, set, lock, unlock, alloc and free; "
		    "shared for lock and unlock; atomic for get and set)",
		    e->name.s);
		return;
	}
	if (e->kinds & CALLS && e->when == FR_WHEN_NONE)
		fr_lex_error(l, e->cut->pos,
			     "a call begins and ends: write 'before' or 'after' behind 'event %s'",
			     e->name.s);
	if (!(e->kinds & CALLS) && e->when != FR_WHEN_NONE)
		fr_lex_error(l, e->cut->pos, "%s is a single event: remove '%s'", word_of(e->kinds),
			     e->when == FR_WHEN_BEFORE ? "before" : "after");
	walk(e->cut, false, &s, see_binding);
	walk(e->cut, false, &s, see_condition);
	FR_VEC_FOREACH (p, &e->param)
		if (!p->bound)
			fr_lex_error(
			    l, p->name.pos,
			    "nothing binds '%s': add args(), returns(), target() or object() with "
			    "it",
			    p->name.s);
}

/* ---- patterns ---- */

struct checked_pattern {
	struct fr_lex *l;
	struct fr_property *p;
	bool opens[FR_SPEC_VARIABLES], closes[FR_SPEC_VARIABLES];
	uint32_t thread[FR_SPEC_VARIABLES]; /* of a region */
};

static void see_region(struct checked_pattern *x, const struct fr_formula *f, uint32_t region,
		       bool *seen)
{
	uint32_t *thread = &x->thread[region];

	fr_assert(region < FR_SPEC_VARIABLES);
	if (seen[region])
		fr_lex_error(x->l, f->pos, "region '%s' is %s twice: use another name",
			     x->p->region.v[region].s, seen == x->opens ? "opened" : "closed");
	seen[region] = true;
	if (f->thread == FR_NO_NAME)
		fr_lex_error(x->l, f->pos,
			     "an event that opens or closes a region needs a thread: write %s(t1, "
			     "%c%s)",
			     x->p->event.v[f->event]->name.s, seen == x->opens ? '<' : '>',
			     x->p->region.v[region].s);
	else if (*thread != FR_NO_NAME && *thread != f->thread)
		fr_lex_error(x->l, f->pos, "region '%s' is opened and closed by different threads",
			     x->p->region.v[region].s);
	*thread = f->thread;
}

static void see_at_once(struct checked_pattern *x, const struct fr_formula *f)
{
	if (f->sub.n > FR_SPEC_AT_ONCE)
		fr_lex_error(x->l, f->pos, "'||' joins at most %d events", FR_SPEC_AT_ONCE);
	FR_VEC_FOREACH (a, &f->sub) {
		if ((*a)->op != FR_FM_EVENT) {
			fr_lex_error(x->l, (*a)->pos,
				     "'||' joins single events, such as a(t1) || b(t2); write '|' "
				     "for alternatives");
			return;
		}
		if ((*a)->thread == FR_NO_NAME) {
			fr_lex_error(
			    x->l, (*a)->pos,
			    "events that happen at once belong to different threads: write "
			    "%s(t%zu)",
			    x->p->event.v[(*a)->event]->name.s, (size_t)(a - f->sub.v) + 1);
			return;
		}
		for (struct fr_formula **b = f->sub.v; b < a; b++)
			if ((*b)->thread == (*a)->thread)
				fr_lex_error(x->l, (*a)->pos,
					     "two events of thread '%s' are never at once",
					     x->p->thread.v[(*a)->thread].s);
	}
}

/* `plain`: the node is under ! or a repetition, where regions and || have no meaning. */
static void see_pattern(struct checked_pattern *x, const struct fr_formula *f, const char *plain)
{
	if (f->op == FR_FM_EVENT) {
		bool marks = f->opens != FR_NO_NAME || f->closes != FR_NO_NAME;

		if (marks && plain)
			fr_lex_error(x->l, f->pos, "a region cannot be under '%s'", plain);
		else if (f->opens != FR_NO_NAME)
			see_region(x, f, f->opens, x->opens);
		if (!plain && f->closes != FR_NO_NAME)
			see_region(x, f, f->closes, x->closes);
		return;
	}
	if (f->op == FR_FM_AT_ONCE) {
		if (plain)
			fr_lex_error(x->l, f->pos, "'||' cannot be under '%s'", plain);
		see_at_once(x, f);
	}
	plain = f->op == FR_FM_NOT    ? "!"
		: f->op == FR_FM_STAR ? "*"
		: f->op == FR_FM_PLUS ? "+"
		: f->op == FR_FM_BOTH ? "&&"
				      : plain;
	FR_VEC_FOREACH (a, &f->sub)
		see_pattern(x, *a, plain);
}

static void check_pattern(struct fr_lex *l, struct fr_property *p)
{
	struct checked_pattern x = {.l = l, .p = p};

	memset(x.thread, 0xff, sizeof(x.thread));
	see_pattern(&x, p->body, NULL);
	for (size_t i = 0; i < p->region.n; i++) {
		if (x.opens[i] && !x.closes[i])
			fr_lex_error(
			    l, p->region.v[i].pos,
			    "region '%s' is never closed: write >%s at the event that ends "
			    "it",
			    p->region.v[i].s, p->region.v[i].s);
		if (x.closes[i] && !x.opens[i])
			fr_lex_error(l, p->region.v[i].pos,
				     "region '%s' is never opened: write <%s at the event that "
				     "begins it",
				     p->region.v[i].s, p->region.v[i].s);
	}
	if (p->body->op == FR_FM_NOT && p->thread.n)
		fr_lex_error(l, p->thread.v[0].pos,
			     "a pattern that begins with '!' has no threads: remove (%s)",
			     p->thread.v[0].s);
}

static void check_automaton(struct fr_lex *l, struct fr_property *p)
{
	struct fr_auto *a;
	struct fr_err err;

	if (fr_auto_new(p, &a, &err) < 0)
		fr_lex_error(l, p->body->pos, "%s", err.msg);
	else
		fr_auto_free(a);
}

void fr_check_property(struct fr_lex *l, struct fr_property *p)
{
	size_t errors = l->spec->error.n;

	fr_assert(p->body && !l->silent);
	FR_VEC_FOREACH (e, &p->event)
		check_event(l, *e);
	FR_VEC_FOREACH (q, &p->param)
		if (!q->bound)
			fr_lex_error(l, q->name.pos,
				     "no event binds parameter '%s': add args(), returns(), "
				     "target() or object() with it to an event",
				     q->name.s);
	if (!p->is_ltl)
		check_pattern(l, p);
	if (errors == l->spec->error.n)
		check_automaton(l, p);
}
