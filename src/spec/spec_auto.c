/* The automaton of a property: its letters, and which states are violations. See spec_auto.h. */
#include "spec/spec_auto.h"
#include "base/assert.h"
#include <errno.h>
#include <string.h>

/* ---- letters ---- */

static uint32_t mark_of(struct fr_auto *a, struct fr_mark_set m)
{
	for (size_t i = 0; i < a->mark.n; i++)
		if (!memcmp(&a->mark.v[i], &m, sizeof(m)))
			return (uint32_t)i;
	fr_vec_push(&a->mark, m);
	return (uint32_t)a->mark.n - 1;
}

uint32_t fr_auto_letter(const struct fr_auto *a, uint32_t event, uint32_t thread, uint32_t mark)
{
	for (size_t i = 0; i < a->letter.n; i++)
		if (a->letter.v[i].event == event && a->letter.v[i].thread == thread &&
		    a->letter.v[i].mark == mark)
			return (uint32_t)i;
	return FR_NO_NAME;
}

/* Adds the letters of an event with this mark: for each thread name, and for none. */
static void add_letters(struct fr_auto *a, uint32_t event, uint32_t mark)
{
	uint32_t threads = (uint32_t)a->property->thread.n;

	fr_assert(event < a->property->event.n && mark < a->mark.n);
	if (fr_auto_letter(a, event, FR_NO_NAME, mark) != FR_NO_NAME)
		return;
	fr_vec_push(&a->letter, ((struct fr_letter){event, FR_NO_NAME, mark}));
	for (uint32_t t = 0; t < threads; t++)
		fr_vec_push(&a->letter, ((struct fr_letter){event, t, mark}));
}

static void marked_letters(struct fr_auto *a, const struct fr_formula *f, uint32_t group,
			   uint32_t member)
{
	struct fr_mark_set m = {f->opens, f->closes, group, member};

	if (f->op == FR_FM_EVENT) {
		add_letters(a, f->event, mark_of(a, m));
		return;
	}
	if (f->op == FR_FM_AT_ONCE) {
		group = a->groups++;
		fr_vec_push(&a->group_size, (uint32_t)f->sub.n);
		fr_assert(a->group_size.n == a->groups);
	}
	for (size_t i = 0; i < f->sub.n; i++)
		marked_letters(a, f->sub.v[i], f->op == FR_FM_AT_ONCE ? group : FR_NO_NAME,
			       f->op == FR_FM_AT_ONCE ? (uint32_t)i : FR_NO_NAME);
}

static void make_letters(struct fr_auto *a)
{
	const struct fr_property *p = a->property;

	mark_of(a, (struct fr_mark_set){FR_NO_NAME, FR_NO_NAME, FR_NO_NAME, FR_NO_NAME});
	for (uint32_t e = 0; e < p->event.n; e++)
		add_letters(a, e, 0);
	if (!p->is_ltl)
		marked_letters(a, p->body, FR_NO_NAME, FR_NO_NAME);
}

/* ---- violations ---- */

/* Reads the states that can be reached from the start by at least one letter. */
static bool any_after_start(const struct fr_dfa *d, const bool *set, bool value)
{
	bool *seen = fr_xcalloc((size_t)d->states + 1, sizeof(*seen)), more = true, found = false;

	for (uint32_t l = 0; l < d->letters; l++)
		seen[fr_dfa_step(d, d->start, l)] = true;
	while (more) {
		more = false;
		for (uint32_t s = 0; s < d->states; s++)
			for (uint32_t l = 0; seen[s] && l < d->letters; l++) {
				more |= !seen[fr_dfa_step(d, s, l)];
				seen[fr_dfa_step(d, s, l)] = true;
			}
	}
	for (uint32_t s = 0; s < d->states; s++)
		found |= seen[s] && set[s] == value;
	free(seen);
	return found;
}

static int finish_pattern(struct fr_auto *a, struct fr_err *reterr)
{
	struct fr_dfa *d = &a->dfa;

	memcpy(a->bad, d->accept, d->states * sizeof(*a->bad));
	if (a->bad[d->start])
		return fr_err_say(
		    reterr, -EINVAL,
		    "the pattern matches the empty sequence, so every run violates it: "
		    "require at least one event");
	if (!any_after_start(d, a->bad, true))
		return fr_err_say(reterr, -EINVAL, "no run can match the pattern");
	return 0;
}

/* !R: the beginnings of the sequences that R accepts are right. */
static int finish_not(struct fr_auto *a, struct fr_err *reterr)
{
	bool *live = fr_dfa_live(&a->dfa);

	for (uint32_t s = 0; s < a->dfa.states; s++)
		a->bad[s] = !live[s];
	free(live);
	if (a->bad[a->dfa.start])
		return fr_err_say(
		    reterr, -EINVAL,
		    "the order after '!' can match nothing, so every run violates the "
		    "pattern");
	if (!any_after_start(&a->dfa, a->bad, true))
		return fr_err_say(
		    reterr, -EINVAL,
		    "every sequence is the beginning of the order after '!', so no run "
		    "violates the pattern");
	return 0;
}

static int finish_ltl(struct fr_auto *a, struct fr_err *reterr)
{
	struct fr_dfa *d = &a->dfa;
	bool *live = fr_dfa_live(d);

	for (uint32_t s = 0; s < d->states; s++) {
		a->bad[s] = !live[s];
		a->ends_badly[s] = !d->accept[s];
	}
	free(live);
	if (!any_after_start(d, d->accept, false))
		return fr_err_say(reterr, -EINVAL,
				  "the formula is always true: no run violates it");
	if (!any_after_start(d, d->accept, true))
		return fr_err_say(reterr, -EINVAL,
				  "the formula is always false: every run violates it");
	return 0;
}

/* live: a violation can be reached. */
static void find_live(struct fr_auto *a)
{
	struct fr_dfa d = a->dfa;

	d.accept = fr_xcalloc((size_t)d.states + 1, sizeof(bool));
	for (uint32_t s = 0; s < d.states; s++)
		d.accept[s] = a->bad[s] || a->ends_badly[s];
	a->live = fr_dfa_live(&d);
	free(d.accept);
}

static int make_dfa(struct fr_auto *a, struct fr_err *reterr)
{
	const struct fr_property *p = a->property;
	bool not = !p->is_ltl && p->body->op == FR_FM_NOT;
	int r;

	if (a->letter.n > FR_AUTO_LETTERS)
		return fr_err_say(reterr, -E2BIG,
				  "too many combinations of events, threads and regions: use fewer "
				  "names");
	r = p->is_ltl ? fr_auto_ltl(p->body, (uint32_t)a->letter.n, &a->dfa, reterr)
		      : fr_auto_pattern(a, not? p->body->sub.v[0] : p->body, &a->dfa, reterr);
	if (r < 0)
		return r;
	fr_assert(a->dfa.letters == a->letter.n && a->dfa.start < a->dfa.states);
	a->anchored = p->is_ltl || not;
	a->bad = fr_xcalloc((size_t)a->dfa.states + 1, sizeof(bool));
	a->ends_badly = fr_xcalloc((size_t)a->dfa.states + 1, sizeof(bool));
	r = p->is_ltl ? finish_ltl(a, reterr)
	    : not     ? finish_not(a, reterr)
		      : finish_pattern(a, reterr);
	if (r == 0)
		find_live(a);
	return r;
}

int fr_auto_new(const struct fr_property *p, struct fr_auto **ret, struct fr_err *reterr)
{
	struct fr_auto *a = fr_xcalloc(1, sizeof(*a));
	int r;

	fr_assert(p->body);
	a->property = p;
	make_letters(a);
	/* Without attributes, letter e is event e: the formulas of fr_auto_ltl use that. */
	fr_assert(!p->is_ltl || a->letter.n == p->event.n);
	r = make_dfa(a, reterr);
	if (r < 0) {
		fr_auto_free(a);
		return r;
	}
	*ret = a;
	return 0;
}

void fr_auto_free(struct fr_auto *a)
{
	if (!a)
		return;
	fr_dfa_free(&a->dfa);
	free(a->bad);
	free(a->ends_badly);
	free(a->live);
	fr_vec_free(&a->mark);
	fr_vec_free(&a->group_size);
	fr_vec_free(&a->letter);
	free(a);
}
