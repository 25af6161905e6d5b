/*
 * The walk: see lattice.h.
 *
 * Cuts:      each holds a copy of the words that the scope can change, and a list of monitors. Two
 *            orders that lead to equal words are one cut. A cut is freed once its steps are taken.
 * Levels:    a heap gives the cuts with the fewest steps first, so all orders that lead to a cut
 *            are known when its steps are taken.
 * Monitors:  entries that stay to the end: each knows the entry and the lane that it comes from, so
 *            the order that leads to a violation can be read off backwards.
 * Next:      at each cut, the steps that commute with everything are taken first, and make no cut
 *            (lattice_scope.c).
 * Unread:    no monitor has read an event yet. If a step's items cannot begin a match, and are
 *            ordered with all items that can, the walk takes only that step: no monitor ever reads
 *            it.
 * Pending:   at each cut, the monitors also read the next steps of several lanes, one after the
 *            other. Reading a step that can happen is the same as taking it, so only steps that
 *            cannot happen are read before others.
 * Budgets:   a level that is too wide keeps the cuts whose monitors are nearest to a violation.
 */
#include "lattice/lattice.h"
#include "base/assert.h"
#include "base/hash.h"
#include "base/term.h"
#include "lattice/lattice_internal.h"
#include <string.h>

#define BYTES_MAX (UINT64_C(256) << 20) /* of the words of all cuts at once */
#define LOOK_EVERY 64			/* cuts between two looks at the clock */

struct fr_lattice *fr_lattice_new(const struct fr_model *m, const struct fr_causality *c)
{
	struct fr_lattice *l = fr_xcalloc(1, sizeof(*l));

	l->m = m;
	l->c = c;
	fr_machine_init(&l->x, m);
	return l;
}

void fr_lattice_free(struct fr_lattice *l)
{
	if (l)
		fr_machine_destroy(&l->x);
	free(l);
}

void fr_lattice_answer_free(struct fr_lattice_answer *v)
{
	fr_schedule_free(&v->schedule);
	fr_vec_free(&v->match);
}

/* ---- steps ---- */

bool fr_lattice_step(struct fr_lattice *l, fr_ev head)
{
	struct fr_err why;

	return fr_machine_step(&l->x, head, &why) == 0;
}

void fr_lattice_run_ahead(struct fr_lattice_walk *w, struct fr_schedule *ret)
{
	bool more = true;

	while (more) {
		more = false;
		for (uint32_t i = 0; i < w->scope.lane.n; i++)
			for (fr_ev e; (e = fr_scope_next(&w->scope, &w->l->x, i)) != FR_NO_EV;) {
				if (!fr_scope_commutes(&w->scope, &w->l->x, i) ||
				    !fr_lattice_step(w->l, e))
					break;
				if (ret)
					fr_vec_push(&ret->step, e);
				w->l->x.njournal = 0;
				more = true;
			}
	}
}

/* ---- cuts ---- */

static uint32_t steps_now(const struct fr_lattice_walk *w)
{
	uint32_t n = 0;

	FR_VEC_FOREACH (l, &w->scope.lane)
		n += w->l->x.w[fr_machine_thread(&w->l->x, l->thread) + FR_TW_NEXT] - l->from;
	return n;
}

static uint32_t *words_of(const struct fr_lattice_walk *w, uint32_t slot)
{
	return w->store + (size_t)slot * w->words.v.n;
}

static bool before(const struct fr_lattice_walk *w, uint32_t a, uint32_t b)
{
	const struct fr_lattice_cut *x = &w->cut.v[a], *y = &w->cut.v[b];

	return x->steps != y->steps ? x->steps < y->steps : a < b;
}

static void heap_push(struct fr_lattice_walk *w, uint32_t cut)
{
	size_t i = w->heap.n;

	fr_vec_push(&w->heap, cut);
	for (; i && before(w, cut, w->heap.v[(i - 1) / 2]); i = (i - 1) / 2)
		w->heap.v[i] = w->heap.v[(i - 1) / 2];
	w->heap.v[i] = cut;
}

static uint32_t heap_pop(struct fr_lattice_walk *w)
{
	uint32_t top = w->heap.v[0], last = w->heap.v[--w->heap.n];
	size_t i = 0;

	fr_assert_slow(!before(w, last, top));
	for (size_t k; (k = 2 * i + 1) < w->heap.n; i = k) {
		if (k + 1 < w->heap.n && before(w, w->heap.v[k + 1], w->heap.v[k]))
			k++;
		if (!before(w, w->heap.v[k], last))
			break;
		w->heap.v[i] = w->heap.v[k];
	}
	if (w->heap.n)
		w->heap.v[i] = last;
	return top;
}

static uint32_t new_slot(struct fr_lattice_walk *w)
{
	if (w->spare.n)
		return w->spare.v[--w->spare.n];
	if (w->slots % 256 == 0)
		w->store = fr_xrealloc(w->store, ((size_t)w->slots + 256) * (w->words.v.n + 1),
				       sizeof(*w->store));
	return w->slots++;
}

/* The cut at which the machine stands; FR_LATTICE_NONE: the budget is spent. */
static uint32_t this_cut(struct fr_lattice_walk *w)
{
	size_t n = w->words.v.n;
	uint32_t slot, *at;
	uint64_t hash, *i;

	if (w->slots - w->spare.n >= w->most) {
		w->cut_off = true;
		return FR_LATTICE_NONE;
	}
	slot = new_slot(w);
	at = words_of(w, slot);
	fr_words_save(&w->words, at);
	hash = FR_HASH_START;
	for (size_t k = 0; k < n; k++)
		hash = fr_hash_mix(hash, at[k]);
	i = fr_map_put(&w->index, hash >> 1);
	for (uint64_t k = *i; k; k = w->cut.v[k - 1].same)
		if (w->cut.v[k - 1].slot != FR_LATTICE_NONE &&
		    !memcmp(words_of(w, w->cut.v[k - 1].slot), at, n * sizeof(*at))) {
			fr_vec_push(&w->spare, slot);
			fr_assert_slow(w->cut.v[k - 1].steps == steps_now(w));
			return (uint32_t)k - 1;
		}
	fr_vec_push(&w->cut, ((struct fr_lattice_cut){.slot = slot,
						      .steps = steps_now(w),
						      .first = FR_LATTICE_NONE,
						      .distance = FR_LATTICE_NONE,
						      .same = (uint32_t)*i}));
	*i = w->cut.n;
	heap_push(w, (uint32_t)w->cut.n - 1);
	return (uint32_t)w->cut.n - 1;
}

static void free_cut(struct fr_lattice_walk *w, uint32_t cut)
{
	fr_assert(w->cut.v[cut].slot < w->slots); /* not freed before */
	fr_vec_push(&w->spare, w->cut.v[cut].slot);
	w->cut.v[cut].slot = FR_LATTICE_NONE;
}

/* Adds a monitor to a cut, unless it is there. Returns it. */
static uint32_t add_entry(struct fr_lattice_walk *w, uint32_t cut, const struct fr_lattice_entry *e)
{
	struct fr_lattice_cut *c = &w->cut.v[cut];
	uint32_t distance =
	    e->state == FR_IDLE ? w->distance[w->q->a->dfa.start] + 1 : w->distance[e->state];

	fr_assert(e->parent == FR_LATTICE_NONE || e->parent < w->entry.n);
	for (uint32_t i = c->first; i != FR_LATTICE_NONE; i = w->entry.v[i].next)
		if (w->entry.v[i].state == e->state && w->entry.v[i].context == e->context)
			return i;
	fr_vec_push(&w->entry, *e);
	w->entry.v[w->entry.n - 1].next = c->first;
	c->first = (uint32_t)w->entry.n - 1;
	c->distance = fr_min(c->distance, distance);
	return c->first;
}

/* ---- violations ---- */

static bool report(struct fr_lattice_walk *w, uint32_t entry, const struct fr_lattice_tail *tail,
		   uint32_t n, bool at_end)
{
	fr_assert(entry < w->entry.n && n <= FR_SPEC_AT_ONCE && !n == at_end);
	w->found = entry;
	w->ntail = n;
	memcpy(w->tail, tail, n * sizeof(*tail));
	w->at_end = at_end;
	return true;
}

/* A lane's next step at the present cut. */
struct front {
	fr_ev head; /* FR_NO_EV: none */
	uint32_t first, items;
	bool can; /* the step is possible */
};

struct front_row {
	struct front lane[FR_LANES];
	uint64_t waiting; /* the first 64 lanes whose next steps have items */
	bool left;	  /* some item is left */
};

static bool read_pending(struct fr_lattice_walk *w, const struct front_row *f, uint32_t entry,
			 uint32_t state, uint32_t context, struct fr_lattice_tail *tail,
			 uint32_t n);

/* Reads the next step of one lane, without its first `skip` items. True: a violation. */
static bool read_one(struct fr_lattice_walk *w, const struct front_row *f, uint32_t entry,
		     uint32_t state, uint32_t context, uint32_t lane, uint32_t skip,
		     struct fr_lattice_tail *tail, uint32_t n)
{
	const struct front *x = &f->lane[lane];
	fr_readings r = {0};
	bool found = false;

	fr_monitors_read(&w->monitors, state, context, lane, x->first + skip, x->items - skip, true,
			 f->waiting, &r);
	for (size_t k = 0; k < r.n && !found; k++) {
		tail[n] = (struct fr_lattice_tail){lane, r.v[k].state, r.v[k].group, skip};
		if (w->q->a->bad[r.v[k].state])
			found = report(w, entry, tail, n + 1, false);
		else if (n + 1 < FR_SPEC_AT_ONCE && (n || !x->can))
			found =
			    read_pending(w, f, entry, r.v[k].state, r.v[k].context, tail, n + 1);
	}
	fr_vec_free(&r);
	return found;
}

/* Reads next steps of other lanes after those in `tail`. True: a violation. */
static bool read_pending(struct fr_lattice_walk *w, const struct front_row *f, uint32_t entry,
			 uint32_t state, uint32_t context, struct fr_lattice_tail *tail, uint32_t n)
{
	for (uint32_t i = 0; i < w->scope.lane.n; i++) {
		bool used = !f->lane[i].items, idle = state == FR_IDLE;

		for (uint32_t k = 0; k < n; k++)
			used |= tail[k].lane == i;
		for (uint32_t skip = 0; !used && skip < (idle ? f->lane[i].items : 1); skip++)
			if (read_one(w, f, entry, idle ? w->q->a->dfa.start : state, context, i,
				     skip, tail, n))
				return true;
	}
	return false;
}

/* Is one of the monitors at this cut a violation, with the next steps or at the end? */
static bool is_violated(struct fr_lattice_walk *w, const struct front_row *f, uint32_t cut,
			bool ended)
{
	struct fr_lattice_tail tail[FR_SPEC_AT_ONCE];

	for (uint32_t i = w->cut.v[cut].first; i != FR_LATTICE_NONE; i = w->entry.v[i].next) {
		struct fr_lattice_entry e = w->entry.v[i];

		if (ended && e.state != FR_IDLE && w->q->a->ends_badly[e.state])
			return report(w, i, tail, 0, true);
		if (f->left && read_pending(w, f, i, e.state, e.context, tail, 0))
			return true;
	}
	return false;
}

/* ---- the walk ---- */

static void look_ahead(struct fr_lattice_walk *w, struct front_row *f)
{
	struct fr_machine *x = &w->l->x;

	f->waiting = 0;
	f->left = false;
	for (uint32_t i = 0; i < w->scope.lane.n; i++) {
		const struct fr_lane *l = &w->scope.lane.v[i];
		struct front *r = &f->lane[i];
		uint32_t pos = x->w[fr_machine_thread(x, l->thread) + FR_TW_NEXT];

		*r = (struct front){.head = fr_scope_next(&w->scope, x, i)};
		f->left |=
		    l->items &&
		    fr_model_pos(w->l->m,
				 w->q->item[w->scope.by_lane[l->item + l->items - 1]].ev) >= pos;
		if (r->head == FR_NO_EV)
			continue;
		r->items = fr_scope_items(&w->scope, i, r->head, &r->first);
		if (r->items && i < 64)
			f->waiting |= UINT64_C(1) << i;
		x->njournal = 0;
		r->can = fr_lattice_step(w->l, r->head);
		fr_machine_undo(x, 0);
	}
}

static bool has_ended(const struct fr_lattice_walk *w, const struct front_row *f)
{
	const struct fr_machine *x = &w->l->x;

	if (f->left || !w->scope.to_end)
		return false;
	FR_VEC_FOREACH (l, &w->scope.lane)
		if (x->w[fr_machine_thread(x, l->thread) + FR_TW_NEXT] < l->end)
			return false;
	return true;
}

/* Gives what a monitor becomes by a lane's step to the cut after it. True: a violation. */
static bool pass_one(struct fr_lattice_walk *w, const struct front_row *f,
		     struct fr_lattice_entry e, uint32_t to, fr_readings *r)
{
	const struct front *x = &f->lane[e.lane];
	struct fr_lattice_entry after = e;

	r->n = 0;
	fr_monitors_read(&w->monitors, e.state, e.context, e.lane, x->first + e.skip,
			 x->items - e.skip, false, f->waiting, r);
	for (size_t k = 0; k < r->n; k++) {
		after.state = r->v[k].state;
		after.context = r->v[k].context;
		after.group = r->v[k].group;
		if (w->q->a->bad[after.state]) /* an acquisition: others need not happen */
			return report(
			    w, e.parent,
			    &(struct fr_lattice_tail){e.lane, after.state, after.group, e.skip}, 1,
			    false);
		add_entry(w, to, &after);
	}
	return false;
}

/* Gives the monitors of a cut to the cut after a lane's step. True: a violation. */
static bool pass_on(struct fr_lattice_walk *w, const struct front_row *f, uint32_t from,
		    uint32_t to, uint32_t lane)
{
	const struct front *x = &f->lane[lane];
	fr_readings r = {0};
	bool found = false;

	for (uint32_t i = w->cut.v[from].first, next; i != FR_LATTICE_NONE && !found; i = next) {
		struct fr_lattice_entry e = w->entry.v[i];
		bool idle = e.state == FR_IDLE;

		next = e.next;
		e.parent = i;
		e.lane = lane;
		e.skip = 0;
		if (!x->items || idle)
			add_entry(w, to, &e);
		if (idle)
			e.state = w->q->a->dfa.start;
		for (; !found && e.skip < (idle || !x->items ? x->items : 1); e.skip++)
			found = pass_one(w, f, e, to, &r);
	}
	fr_vec_free(&r);
	return found;
}

/* Is the item ordered with all items that can begin a match, and cannot begin one itself? */
static bool is_unread(struct fr_lattice_walk *w, uint32_t item)
{
	const struct fr_lattice_item *v = w->q->item;
	bool yes = !(w->begins >> v[item].event & 1);

	if (w->unread[item])
		return w->unread[item] == 2;
	for (uint32_t i = 0; i < w->q->n && yes; i++)
		yes = !(w->begins >> v[i].event & 1) || fr_mhb(w->l->c, v[item].ev, v[i].ev) ||
		      fr_mhb(w->l->c, v[i].ev, v[item].ev);
	w->unread[item] = yes ? 2 : 1;
	return yes;
}

/* Have all monitors of the cut read nothing yet? */
static bool is_idle(const struct fr_lattice_walk *w, uint32_t cut)
{
	for (uint32_t i = w->cut.v[cut].first; i != FR_LATTICE_NONE; i = w->entry.v[i].next)
		if (w->entry.v[i].state != FR_IDLE)
			return false;
	return true;
}

/* The lane whose step is taken alone, because no monitor ever reads it. FR_LATTICE_NONE: take all
   steps. */
static uint32_t unread_lane(struct fr_lattice_walk *w, const struct front_row *f, uint32_t cut)
{
	if (!is_idle(w, cut))
		return FR_LATTICE_NONE;
	for (uint32_t i = 0; i < w->scope.lane.n; i++) {
		const struct front *x = &f->lane[i];
		bool yes = x->can && x->items && fr_scope_indifferent(&w->scope, &w->l->x, i);

		for (uint32_t k = 0; k < x->items && yes; k++)
			yes = is_unread(w, w->scope.by_lane[x->first + k]);
		if (yes)
			return i;
	}
	return FR_LATTICE_NONE;
}

/* Takes all steps that lead on from a cut. True: a violation. */
static bool expand(struct fr_lattice_walk *w, uint32_t cut)
{
	struct front_row f;
	struct fr_machine *x = &w->l->x;
	uint32_t only;

	memcpy(w->now, words_of(w, w->cut.v[cut].slot), w->words.v.n * sizeof(*w->now));
	fr_words_load(&w->words, w->now);
	look_ahead(w, &f);
	if (is_violated(w, &f, cut, has_ended(w, &f)))
		return true;
	only = unread_lane(w, &f, cut);
	free_cut(w, cut);
	for (uint32_t i = 0; i < w->scope.lane.n && (f.left || w->scope.to_end); i++) {
		uint32_t to;

		if (!f.lane[i].can || (only != FR_LATTICE_NONE && i != only))
			continue;
		fr_words_load(&w->words, w->now);
		x->njournal = 0;
		if (!fr_lattice_step(w->l, f.lane[i].head))
			fr_assert(false);
		fr_lattice_run_ahead(w, NULL);
		to = this_cut(w);
		/* So all orders that lead to a cut are known when its steps are taken. */
		fr_assert(to == FR_LATTICE_NONE || w->cut.v[to].steps > w->cut.v[cut].steps);
		if (to != FR_LATTICE_NONE && pass_on(w, &f, cut, to, i))
			return true;
	}
	return false;
}

static int by_distance(const void *a, const void *b, void *arg)
{
	const struct fr_lattice_walk *w = arg;
	const struct fr_lattice_cut *x = &w->cut.v[*(const uint32_t *)a],
				    *y = &w->cut.v[*(const uint32_t *)b];

	if (x->distance != y->distance)
		return x->distance < y->distance ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* Takes the next level from the heap, in `level`. */
static void next_level(struct fr_lattice_walk *w)
{
	uint32_t steps = w->cut.v[w->heap.v[0]].steps;

	w->level.n = 0;
	while (w->heap.n && w->cut.v[w->heap.v[0]].steps == steps)
		fr_vec_push(&w->level, heap_pop(w));
	w->ret->levels++;
	w->ret->widest = fr_max(w->ret->widest, (uint32_t)w->level.n);
	if (w->level.n <= w->q->width)
		return;
	w->cut_off = true;
	qsort_r(w->level.v, w->level.n, sizeof(*w->level.v), by_distance, w);
	for (size_t i = w->q->width; i < w->level.n; i++)
		free_cut(w, w->level.v[i]);
	w->level.n = w->q->width;
}

static bool has_budget(const struct fr_lattice_walk *w)
{
	return w->entry.n < w->q->states &&
	       (w->cut.n % LOOK_EVERY || !w->q->until || fr_now_s() < w->q->until);
}

static void walk(struct fr_lattice_walk *w)
{
	while (w->heap.n && w->found == FR_LATTICE_NONE) {
		next_level(w);
		for (size_t i = 0; i < w->level.n && w->found == FR_LATTICE_NONE; i++) {
			if (!has_budget(w)) {
				w->cut_off = true;
				return;
			}
			/* A cut without monitors leads nowhere. */
			if (w->cut.v[w->level.v[i]].first != FR_LATTICE_NONE)
				expand(w, w->level.v[i]);
			else
				free_cut(w, w->level.v[i]);
		}
	}
}

/* ---- the question ---- */

/* The distance of each state to a violation, in events. */
static uint32_t *distances(const struct fr_auto *a)
{
	uint32_t *d = fr_xmalloc(((size_t)a->dfa.states + 1) * sizeof(*d));
	bool more = true;

	for (uint32_t s = 0; s < a->dfa.states; s++)
		d[s] = a->bad[s] || a->ends_badly[s] ? 0 : FR_LATTICE_NONE - 1;
	while (more) {
		more = false;
		for (uint32_t s = 0; s < a->dfa.states; s++)
			for (uint32_t l = 0; l < a->dfa.letters; l++) {
				uint32_t to = d[fr_dfa_step(&a->dfa, s, l)];

				if (to + 1 < d[s]) {
					d[s] = to + 1;
					more = true;
				}
			}
	}
	return d;
}

/* The events that can be the first of a match. */
static uint32_t beginnings(const struct fr_auto *a)
{
	uint32_t set = 0;

	for (uint32_t l = 0; l < a->letter.n; l++)
		if (a->live[fr_dfa_step(&a->dfa, a->dfa.start, l)])
			set |= 1u << a->letter.v[l].event;
	return set;
}

/* Can the end of the run be a violation, in a state that is none yet? */
static bool asks_for_end(const struct fr_auto *a)
{
	for (uint32_t s = 0; s < a->dfa.states; s++)
		if (a->ends_badly[s] && !a->bad[s])
			return true;
	return false;
}

/* Brings the machine to the cut of the question. */
static bool run_to(struct fr_lattice *l, fr_ev cut)
{
	struct fr_err err;
	int r;

	if (cut < l->done) {
		fr_machine_destroy(&l->x);
		fr_machine_init(&l->x, l->m);
		l->done = 0;
	}
	l->x.recorded = l->x.quiet = true;
	r = fr_machine_along(&l->x, l->done, cut, &err);
	l->x.recorded = l->x.quiet = false;
	l->done = r < 0 ? FR_NO_EV : cut;
	return r == 0;
}

static void start(struct fr_lattice_walk *w)
{
	struct fr_lattice_entry e = {.parent = FR_LATTICE_NONE,
				     .state = FR_IDLE,
				     .group = FR_NO_NAME,
				     .lane = FR_LATTICE_NONE};
	uint32_t cut;

	fr_words_init(&w->words, &w->scope, &w->l->x);
	fr_monitors_init(&w->monitors, &w->scope);
	w->now = fr_xmalloc((w->words.v.n + 1) * sizeof(*w->now));
	w->distance = distances(w->q->a);
	w->begins = beginnings(w->q->a);
	w->unread = fr_xcalloc(w->q->n, 1);
	w->most = (uint32_t)(BYTES_MAX / (4 * (w->words.v.n + 1))) + 2;
	if (w->q->a->anchored)
		e.state = w->q->a->dfa.start;
	fr_lattice_run_ahead(w, NULL);
	cut = this_cut(w);
	fr_assert(cut == 0);
	add_entry(w, cut, &e);
}

static void finish(struct fr_lattice_walk *w)
{
	w->ret->cuts = w->cut.n;
	w->ret->states = w->entry.n;
	fr_assert(w->ret->widest <= w->cut.n && w->ret->levels <= w->cut.n);
	fr_assert(w->spare.n <= w->slots && w->slots <= w->most);
	fr_words_load(&w->words, w->words.start);
	w->l->x.mask = NULL;
	w->l->x.njournal = 0;
	fr_monitors_free(&w->monitors);
	fr_words_free(&w->words);
	fr_vec_free(&w->entry);
	fr_vec_free(&w->cut);
	fr_vec_free(&w->heap);
	fr_vec_free(&w->level);
	fr_vec_free(&w->spare);
	fr_map_free(&w->index);
	free(w->store);
	free(w->distance);
	free(w->unread);
	free(w->now);
}

void fr_lattice_ask(struct fr_lattice *l, const struct fr_lattice_question *q,
		    struct fr_lattice_answer *ret)
{
	struct fr_lattice_walk w = {.l = l, .q = q, .ret = ret, .found = FR_LATTICE_NONE};

	*ret = (struct fr_lattice_answer){0};
	fr_assert(q->n && q->width && q->cut <= q->item[0].ev);
	fr_scope_find(&w.scope, l->m, l->c, q, asks_for_end(q->a));
	if (!w.scope.too_large && !(q->a->groups && w.scope.lane.n > 64) && run_to(l, q->cut)) {
		l->x.mask = q->mask;
		l->x.cut = q->cut;
		start(&w);
		walk(&w);
		if (w.found != FR_LATTICE_NONE)
			fr_lattice_describe(&w);
		ret->complete = w.found == FR_LATTICE_NONE && !w.cut_off;
		finish(&w);
	}
	fr_scope_free(&w.scope);
}
