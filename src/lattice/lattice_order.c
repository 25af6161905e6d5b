/*
 * The order that leads to a violation: takes the steps of the walk again, and shortens them. The
 * schedule ends before the last event of the match, or before the || in which that is. Then as many
 * events as possible become pending too: the steps of their threads are taken out, if the others
 * remain possible.
 */
#include "base/assert.h"
#include "lattice/lattice_internal.h"

static void match_step(struct fr_lattice_walk *w, fr_ev head, const struct fr_lattice_tail *t)
{
	uint32_t first, n = fr_scope_items(&w->scope, t->lane, head, &first);

	for (uint32_t k = t->skip; k < n; k++)
		fr_vec_push(&w->ret->match, ((struct fr_lattice_event){w->scope.by_lane[first + k],
								       t->state, t->group}));
}

static size_t position_of(const struct fr_schedule *s, fr_ev head)
{
	size_t i = 0;

	while (i < s->step.n && s->step.v[i] != head)
		i++;
	return i;
}

static fr_ev head_of(const struct fr_lattice_walk *w, size_t i)
{
	return fr_head(w->l->m, w->q->item[w->ret->match.v[i].item].ev);
}

/* Must the event have happened? It can then be the last one, pending where it can happen. */
static bool must_happen(const struct fr_lattice_walk *w, size_t i)
{
	unsigned op = w->l->m->ev[w->q->item[w->ret->match.v[i].item].ev].op;

	return (op == FR_OP_ACQUIRE || op == FR_OP_ACQUIRE_SHARED) &&
	       w->ret->match.v[i].group == FR_NO_NAME;
}

/* Do the steps work, in this order? */
static bool works(struct fr_lattice_walk *w, const struct fr_schedule *s)
{
	bool yes = true;

	fr_words_load(&w->words, w->words.start);
	for (size_t i = 0; i < s->step.n && yes; i++) {
		w->l->x.njournal = 0;
		yes = fr_lattice_step(w->l, s->step.v[i]);
	}
	return yes;
}

/* Tries to make one more event of the match pending. */
static bool one_more(struct fr_lattice_walk *w)
{
	struct fr_lattice_answer *r = w->ret;
	size_t at = r->match.n - r->npending - 1, n = 0;
	fr_ev head = head_of(w, at);
	const struct fr_mev *v = &w->l->m->ev[w->q->item[r->match.v[at].item].ev];
	struct fr_schedule s = {.cut = r->schedule.cut};
	bool ok = true;

	fr_assert(r->npending && r->npending < r->match.n);
	if (r->npending == FR_SPEC_AT_ONCE || r->match.v[at].group != FR_NO_NAME ||
	    must_happen(w, at))
		return false;
	for (size_t i = at + 1; i < r->match.n; i++)
		if (w->l->m->ev[head_of(w, i)].thread == v->thread)
			return false;
	if (at && head_of(w, at - 1) == head)
		return false;
	n = position_of(&r->schedule, head);
	for (size_t i = 0; i < r->schedule.step.n; i++)
		if (i < n || w->l->m->ev[r->schedule.step.v[i]].thread != v->thread)
			fr_vec_push(&s.step, r->schedule.step.v[i]);
	ok = works(w, &s);
	for (size_t i = at; i < r->match.n; i++)
		ok = ok &&
		     fr_machine_next(&w->l->x, w->l->m->ev[head_of(w, i)].thread) == head_of(w, i);
	if (ok) {
		fr_schedule_free(&r->schedule);
		r->schedule = s;
		r->npending++;
	} else {
		fr_schedule_free(&s);
	}
	return ok;
}

/* The schedule ends before the last event of the match, or before the || in which it is. */
static void shorten(struct fr_lattice_walk *w)
{
	struct fr_lattice_answer *r = w->ret;
	uint32_t group = r->match.v[r->match.n - 1].group;
	size_t from = r->match.n - 1;

	fr_assert(r->match.n && r->npending <= r->match.n);
	while (from && ((group != FR_NO_NAME && r->match.v[from - 1].group == group) ||
			head_of(w, from - 1) == head_of(w, r->match.n - 1)))
		from--;
	from = fr_min(from, r->match.n - r->npending);
	r->schedule.step.n =
	    fr_min(r->schedule.step.n, position_of(&r->schedule, head_of(w, from)));
	r->npending = (uint32_t)(r->match.n - from);
	while (!must_happen(w, r->match.n - 1) && r->npending < r->match.n && one_more(w))
		;
}

/* Takes the steps again that lead to the violation. */
static void retrace(struct fr_lattice_walk *w)
{
	FR_VEC(uint32_t) path = {0};
	struct fr_schedule *s = &w->ret->schedule;
	uint32_t happened;

	for (uint32_t i = w->found; w->entry.v[i].parent != FR_LATTICE_NONE;
	     i = w->entry.v[i].parent)
		fr_vec_push(&path, i);
	fr_words_load(&w->words, w->words.start);
	s->cut = w->q->cut;
	fr_lattice_run_ahead(w, s);
	for (size_t i = path.n; i-- > 0;) {
		const struct fr_lattice_entry *e = &w->entry.v[path.v[i]];
		fr_ev head = fr_scope_next(&w->scope, &w->l->x, e->lane);

		w->l->x.njournal = 0;
		if (head == FR_NO_EV || !fr_lattice_step(w->l, head))
			fr_assert(false);
		fr_vec_push(&s->step, head);
		fr_lattice_run_ahead(w, s);
		if (e->state != FR_IDLE)
			match_step(w, head,
				   &(struct fr_lattice_tail){e->lane, e->state, e->group, e->skip});
	}
	happened = (uint32_t)w->ret->match.n;
	for (uint32_t i = 0; i < w->ntail; i++)
		match_step(w, fr_scope_next(&w->scope, &w->l->x, w->tail[i].lane), &w->tail[i]);
	w->ret->npending = (uint32_t)w->ret->match.n - happened;
	fr_assert(w->at_end || w->ret->npending);
	fr_vec_free(&path);
}

void fr_lattice_describe(struct fr_lattice_walk *w)
{
	w->ret->found = true;
	w->ret->at_end = w->at_end;
	retrace(w);
	shorten(w);
}
