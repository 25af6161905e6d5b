/*
 * Automata of temporal formulas, by progression: a state is the condition on the rest of the
 * sequence.
 *
 * Let v1 ... vk be the subformulas with a future operator. Before an event, each has an unknown
 * value that the rest of the sequence decides. A state holds the value of the whole formula as a
 * Boolean function of v1 ... vk, as a table of 2^k bits; and for each subformula with a past
 * operator, its value at the event before, as another such table. To read an event means to replace
 * each vi by its definition: `f U g` is g, or f and `f U g` at the next event. At the end of the
 * sequence, `[]f` and `f W g` are true, the others false.
 *
 * Meaning of vi before event p:  the value of the subformula at p. For `X f`: p exists, and f holds
 * there. That is the value of `X f` at p - 1.
 */
#include "spec/spec_auto.h"
#include "base/assert.h"
#include <errno.h>
#include <string.h>

#define FUTURE_MAX 6 /* so that a table has 64 bits */
#define PAST_MAX 8

struct ltl {
	const struct fr_formula *future[FUTURE_MAX], *past[PAST_MAX];
	uint32_t nfuture, npast;
	const struct fr_formula *all[FUTURE_MAX + PAST_MAX]; /* both, inner ones first */
	uint32_t n;
	bool too_many;
	/* The step that is being made. */
	uint32_t event;
	bool first;
	const uint64_t
	    *before; /* the state before: the tables of the past subformulas from [1] on */
};

static bool is_future(enum fr_formula_op op)
{
	return op >= FR_FM_ALWAYS && op <= FR_FM_WEAK;
}

static bool is_past(enum fr_formula_op op)
{
	return op >= FR_FM_SO_FAR && op <= FR_FM_SINCE;
}

/* Subformulas come before the formulas that contain them. */
static void collect(struct ltl *x, const struct fr_formula *f)
{
	FR_VEC_FOREACH (s, &f->sub)
		collect(x, *s);
	if (is_future(f->op)) {
		x->too_many |= x->nfuture == FUTURE_MAX;
		if (!x->too_many)
			x->future[x->nfuture++] = f;
	}
	if (is_past(f->op)) {
		x->too_many |= x->npast == PAST_MAX;
		if (!x->too_many)
			x->past[x->npast++] = f;
	}
	if ((is_future(f->op) || is_past(f->op)) && !x->too_many)
		x->all[x->n++] = f;
	fr_assert(x->too_many || x->n == x->nfuture + x->npast);
}

/* The table of the function that is variable i itself. */
static uint64_t variable(uint32_t i)
{
	static const uint64_t of[FUTURE_MAX] = {
	    UINT64_C(0xaaaaaaaaaaaaaaaa), UINT64_C(0xcccccccccccccccc),
	    UINT64_C(0xf0f0f0f0f0f0f0f0), UINT64_C(0xff00ff00ff00ff00),
	    UINT64_C(0xffff0000ffff0000), UINT64_C(0xffffffff00000000)};

	fr_assert(i < FUTURE_MAX);
	return of[i];
}

static uint32_t index_of(const struct fr_formula *const *v, const struct fr_formula *f)
{
	uint32_t i = 0;

	while (v[i] != f)
		i++;
	return i;
}

/* The value of a formula at the current event, as a function of the variables after it. */
static uint64_t now(const struct ltl *x, const struct fr_formula *f)
{
	uint64_t a = f->sub.n ? now(x, f->sub.v[0]) : 0, before;
	uint64_t b = f->sub.n > 1 ? now(x, f->sub.v[1]) : 0;

	switch (f->op) {
	case FR_FM_EVENT:
		return f->event == x->event ? UINT64_MAX : 0;
	case FR_FM_TRUE:
		return UINT64_MAX;
	case FR_FM_NOT:
		return ~a;
	case FR_FM_AND:
		for (size_t i = 1; i < f->sub.n; i++)
			a &= now(x, f->sub.v[i]);
		return a;
	case FR_FM_OR:
		for (size_t i = 1; i < f->sub.n; i++)
			a |= now(x, f->sub.v[i]);
		return a;
	case FR_FM_IMPLIES:
		return ~a | b;
	case FR_FM_ALWAYS:
		return a & variable(index_of(x->future, f));
	case FR_FM_EVENTUALLY:
		return a | variable(index_of(x->future, f));
	case FR_FM_NEXT:
		return variable(index_of(x->future, f));
	case FR_FM_UNTIL:
	case FR_FM_WEAK:
		return b | (a & variable(index_of(x->future, f)));
	default:
		break;
	}
	if (!is_past(f->op))
		return 0; /* false */
	before =
	    x->first ? f->op == FR_FM_SO_FAR ? UINT64_MAX : 0 : x->before[1 + index_of(x->past, f)];
	switch (f->op) {
	case FR_FM_SO_FAR:
		return a & before;
	case FR_FM_ONCE:
		return a | before;
	case FR_FM_SINCE:
		return b | (a & before);
	default: /* Y f: the state holds f itself */
		return before;
	}
}

/* Replaces the variables of a table by functions. */
static uint64_t substitute(const struct ltl *x, uint64_t table, const uint64_t *by)
{
	uint64_t ret = 0;

	for (uint32_t row = 0; row < 1u << x->nfuture; row++) {
		uint64_t here = UINT64_MAX;

		if (!(table >> row & 1))
			continue;
		for (uint32_t i = 0; i < x->nfuture; i++)
			here &= row >> i & 1 ? by[i] : ~by[i];
		ret |= here;
	}
	return ret;
}

/* Reads an event. from, to: the table of the formula, then those of the past subformulas. */
static void step(struct ltl *x, const struct fr_formula *f, uint32_t event, bool first,
		 const uint64_t *from, uint64_t *to)
{
	uint64_t by[FUTURE_MAX] = {0}, before[1 + PAST_MAX] = {0};

	x->event = event;
	x->first = first;
	x->before = before;
	/* The table of a past subformula depends on the future subformulas inside it only, and
	   these stand before it in the list. */
	for (uint32_t i = 0; i < x->n; i++) {
		const struct fr_formula *g = x->all[i];

		if (is_past(g->op) && !first) {
			uint32_t k = index_of(x->past, g);

			before[1 + k] = substitute(x, from[1 + k], by);
		} else if (is_future(g->op)) {
			by[index_of(x->future, g)] = now(x, g->op == FR_FM_NEXT ? g->sub.v[0] : g);
		}
	}
	to[0] = first ? now(x, f) : substitute(x, from[0], by);
	for (uint32_t i = 0; i < x->npast; i++)
		to[1 + i] =
		    now(x, x->past[i]->op == FR_FM_BEFORE ? x->past[i]->sub.v[0] : x->past[i]);
}

/* Does the formula hold if the sequence ends here? */
static bool holds_at_end(const struct ltl *x, uint64_t table)
{
	uint32_t row = 0;

	for (uint32_t i = 0; i < x->nfuture; i++)
		if (x->future[i]->op == FR_FM_ALWAYS || x->future[i]->op == FR_FM_WEAK)
			row |= 1u << i;
	return table >> row & 1;
}

int fr_auto_ltl(const struct fr_formula *f, uint32_t events, struct fr_dfa *ret,
		struct fr_err *reterr)
{
	struct ltl x = {0};
	FR_VEC(uint64_t) tables = {0};
	FR_VEC(uint32_t) next = {0};
	uint32_t width, states = 1;

	collect(&x, f);
	if (x.too_many)
		return fr_err_say(
		    reterr, -E2BIG,
		    "the formula has more than %d operators of the future or %d of the "
		    "past: split it into several properties",
		    FUTURE_MAX, PAST_MAX);
	width = 1 + x.npast;
	for (uint32_t i = 0; i < width; i++)
		fr_vec_push(&tables, UINT64_C(0)); /* state 0: nothing has been read */
	for (uint32_t s = 0; s < states && states <= FR_AUTO_STATES; s++)
		for (uint32_t e = 0; e < events; e++) {
			uint64_t from[1 + PAST_MAX], to[1 + PAST_MAX] = {0};
			uint32_t k = 1;

			memcpy(from, tables.v + (size_t)s * width, width * sizeof(*from));
			step(&x, f, e, !s, from, to);
			while (k < states &&
			       memcmp(tables.v + (size_t)k * width, to, width * sizeof(*to)))
				k++;
			if (k == states) {
				states++;
				for (uint32_t i = 0; i < width; i++)
					fr_vec_push(&tables, to[i]);
			}
			fr_vec_push(&next, k);
		}
	*ret = (struct fr_dfa){.states = states, .letters = events, .next = next.v};
	ret->accept = fr_xcalloc((size_t)states + 1, sizeof(bool));
	for (uint32_t s = 0; s < states; s++)
		ret->accept[s] = !s || holds_at_end(&x, tables.v[(size_t)s * width]);
	fr_vec_free(&tables);
	if (states > FR_AUTO_STATES) {
		fr_dfa_free(ret);
		return fr_err_say(reterr, -E2BIG,
				  "the formula needs an automaton of more than %d states: split it "
				  "into several properties",
				  FR_AUTO_STATES);
	}
	fr_assert(next.n == (size_t)states * events);
	fr_dfa_minimise(ret);
	return 0;
}
