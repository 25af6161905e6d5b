/*
 * Automata of patterns: each node of the tree becomes a part of one nondeterministic automaton,
 * with one state where it begins and one where it ends. The operands of `!` and `&&` become
 * deterministic automata of their own, which are then copied into it. `a || b` is every order of
 * its events.
 */
#include "spec/spec_auto.h"
#include "base/assert.h"
#include <errno.h>
#include <string.h>

#define STATES_MAX (4 * FR_AUTO_STATES)

struct nfa_draft {
	struct fr_auto *a;
	struct fr_nfa n;
	uint32_t group; /* of the next || */
	bool too_large;
};

struct nfa_part {
	uint32_t from, to;
};

static uint32_t state(struct nfa_draft *b)
{
	b->too_large |= b->n.states >= STATES_MAX;
	return b->too_large ? 0 : b->n.states++;
}

static void edge(struct nfa_draft *b, uint32_t from, uint32_t to, uint32_t label)
{
	fr_assert(b->too_large || (from < b->n.states && to < b->n.states));
	fr_assert(label == FR_NO_NAME || label < b->n.label.n);
	fr_vec_push(&b->n.edge, ((struct fr_nfa_edge){from, to, label}));
}

static uint32_t new_label(struct nfa_draft *b)
{
	fr_vec_push(&b->n.label, (bool *)fr_xcalloc((size_t)b->n.letters + 1, sizeof(bool)));
	return (uint32_t)b->n.label.n - 1;
}

/* An attribute that an atom asks for, or not. */
static bool fits(uint32_t want, uint32_t have)
{
	return want == FR_NO_NAME || want == have;
}

/* The letters of an event of the pattern, as the member of a || if group is not FR_NO_NAME. */
static uint32_t label_of(struct nfa_draft *b, const struct fr_formula *f, uint32_t group,
			 uint32_t member)
{
	uint32_t label = new_label(b);

	for (uint32_t i = 0; i < b->n.letters; i++) {
		const struct fr_letter *l = &b->a->letter.v[i];
		const struct fr_mark_set *m = &b->a->mark.v[l->mark];

		b->n.label.v[label][i] = l->event == f->event && fits(f->thread, l->thread) &&
					 fits(f->opens, m->opens) && fits(f->closes, m->closes) &&
					 fits(group, m->group) && fits(member, m->member);
	}
	return label;
}

static struct nfa_part part_of(struct nfa_draft *b, const struct fr_formula *f);

/* All orders of the members: a state for each set of members that have happened. */
static struct nfa_part at_once(struct nfa_draft *b, const struct fr_formula *f)
{
	uint32_t n = (uint32_t)f->sub.n, base = b->n.states, group = b->group++;
	uint32_t label[FR_SPEC_AT_ONCE];

	fr_assert(n <= FR_SPEC_AT_ONCE);
	for (uint32_t i = 0; i < n; i++)
		label[i] = label_of(b, f->sub.v[i], group, i);
	for (uint32_t set = 0; set < 1u << n; set++)
		state(b);
	fr_assert(b->too_large || b->n.states == base + (1u << n));
	for (uint32_t set = 0; set < 1u << n && !b->too_large; set++)
		for (uint32_t i = 0; i < n; i++)
			if (!(set >> i & 1))
				edge(b, base + set, base + (set | 1u << i), label[i]);
	return (struct nfa_part){base, base + (1u << n) - 1};
}

/* Copies a deterministic automaton. */
static struct nfa_part copy(struct nfa_draft *b, const struct fr_dfa *d)
{
	uint32_t base = b->n.states;
	struct nfa_part p;

	fr_assert(d->letters == b->n.letters && d->start < d->states);
	for (uint32_t s = 0; s < d->states; s++)
		state(b);
	p = (struct nfa_part){base + d->start, state(b)};
	for (uint32_t s = 0; s < d->states && !b->too_large; s++) {
		for (uint32_t l = 0; l < d->letters; l++) {
			uint32_t to = fr_dfa_step(d, s, l), i = 0;

			while (i < l && fr_dfa_step(d, s, i) != to)
				i++;
			if (i == l) { /* the first letter of an edge */
				uint32_t label = new_label(b);

				for (; i < d->letters; i++)
					b->n.label.v[label][i] = fr_dfa_step(d, s, i) == to;
				edge(b, base + s, base + to, label);
			}
		}
		if (d->accept[s])
			edge(b, base + s, p.to, FR_NO_NAME);
	}
	return p;
}

/* The automaton of a part of the pattern on its own. Neither || nor a region is in it. */
static bool alone(struct nfa_draft *b, const struct fr_formula *f, struct fr_dfa *ret)
{
	struct fr_err err;

	if (!b->too_large && fr_auto_pattern(b->a, f, ret, &err) == 0)
		return true;
	b->too_large = true;
	return false;
}

static struct nfa_part not(struct nfa_draft * b, const struct fr_formula *f)
{
	struct nfa_part p = {0};
	struct fr_dfa d;

	fr_assert(f->sub.n == 1);
	if (!alone(b, f->sub.v[0], &d))
		return p;
	fr_dfa_complement(&d);
	p = copy(b, &d);
	fr_dfa_free(&d);
	return p;
}

static struct nfa_part both(struct nfa_draft *b, const struct fr_formula *f)
{
	struct nfa_part p = {0};
	struct fr_dfa d, e, x;

	fr_assert(f->sub.n > 1);
	if (!alone(b, f->sub.v[0], &d))
		return p;
	for (size_t i = 1; i < f->sub.n; i++) {
		bool ok = alone(b, f->sub.v[i], &e);

		if (ok) {
			ok = fr_dfa_both(&d, &e, &x);
			fr_dfa_free(&e);
		}
		fr_dfa_free(&d);
		if (!ok) {
			b->too_large = true;
			return p;
		}
		fr_dfa_minimise(&x);
		d = x;
	}
	p = copy(b, &d);
	fr_dfa_free(&d);
	return p;
}

static struct nfa_part sequence(struct nfa_draft *b, const struct fr_formula *f)
{
	struct nfa_part all = part_of(b, f->sub.v[0]);

	for (size_t i = 1; i < f->sub.n; i++) {
		struct nfa_part p = part_of(b, f->sub.v[i]);

		edge(b, all.to, p.from, FR_NO_NAME);
		all.to = p.to;
	}
	return all;
}

static struct nfa_part either(struct nfa_draft *b, const struct fr_formula *f)
{
	struct nfa_part all = {state(b), state(b)};

	FR_VEC_FOREACH (s, &f->sub) {
		struct nfa_part p = part_of(b, *s);

		edge(b, all.from, p.from, FR_NO_NAME);
		edge(b, p.to, all.to, FR_NO_NAME);
	}
	return all;
}

/* a?, a* and a+ */
static struct nfa_part repeated(struct nfa_draft *b, const struct fr_formula *f)
{
	struct nfa_part all = {state(b), state(b)}, p = part_of(b, f->sub.v[0]);

	fr_assert(f->op == FR_FM_MAYBE || f->op == FR_FM_STAR || f->op == FR_FM_PLUS);
	edge(b, all.from, p.from, FR_NO_NAME);
	edge(b, p.to, all.to, FR_NO_NAME);
	if (f->op != FR_FM_MAYBE)
		edge(b, p.to, p.from, FR_NO_NAME);
	if (f->op != FR_FM_PLUS)
		edge(b, all.from, all.to, FR_NO_NAME);
	return all;
}

static struct nfa_part part_of(struct nfa_draft *b, const struct fr_formula *f)
{
	struct nfa_part p;

	switch (f->op) {
	case FR_FM_EVENT:
		p = (struct nfa_part){state(b), state(b)};
		edge(b, p.from, p.to, label_of(b, f, FR_NO_NAME, FR_NO_NAME));
		return p;
	case FR_FM_SEQUENCE:
		return sequence(b, f);
	case FR_FM_EITHER:
		return either(b, f);
	case FR_FM_BOTH:
		return both(b, f);
	case FR_FM_AT_ONCE:
		return at_once(b, f);
	case FR_FM_NOT:
		return not(b, f);
	default:
		return repeated(b, f);
	}
}

int fr_auto_pattern(struct fr_auto *a, const struct fr_formula *f, struct fr_dfa *ret,
		    struct fr_err *reterr)
{
	struct nfa_draft b = {.a = a, .n.letters = (uint32_t)a->letter.n};
	struct nfa_part p = part_of(&b, f);
	bool ok;

	b.n.start = p.from;
	b.n.end = p.to;
	ok = !b.too_large && fr_nfa_determinise(&b.n, ret);
	fr_nfa_free(&b.n);
	if (!ok)
		return fr_err_say(
		    reterr, -E2BIG,
		    "the pattern needs an automaton of more than %d states: use fewer "
		    "'!' and '&&'",
		    FR_AUTO_STATES);
	fr_dfa_minimise(ret);
	return 0;
}
