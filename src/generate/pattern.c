/*
 * Searches the run for the events of a pattern (PECAN 5.2), guided by the pattern, through indexes
 * by location, thread and region.
 *
 * One event of the pattern is the anchor, and each access that fits it is tried. The other events
 * follow in an order in which each is tied as closely as possible to the earlier ones: same region,
 * thread or location. If the location is known, each class of accesses (access_index.h) provides
 * the nearest ones. If only the thread is known, its accesses nearby are tried. Matches are left
 * out if must-happen-before or a lock held throughout excludes them.
 *
 * Regions:  a lock region, an annotated region or a named function (region.h). An access outside
 *           all of them is a region of its own.
 * Cost:     anchors like many earlier ones are tried only now and then, and each anchor may try
 *           NODES accesses. So the cost is linear in the accesses, whatever the pattern. cut_off
 *           counts where a limit was reached.
 * Not here: the forms of candidate that a match gives (pattern_form.c).
 */
#include "generate/pattern.h"
#include "generate/access_index.h"
#include "generate/unguarded.h"
#include "generate/matches.h"
#include "generate/pattern_form.h"
#include "causality/refute.h"

#define NODES 512	/* accesses tried for one anchor */
#define WALK 256	/* events of a thread examined for one access */
#define SITE_FREE 16	/* anchors of one site that are always tried */
#define CREDIT 65536	/* accesses that the remaining anchors may try, all together, */
#define CREDIT_ACCESS 6 /* plus this many for each access that could be an anchor */
#define GROUPS_MAX 65536
#define NONE UINT32_MAX

struct pattern_search {
	const struct fr_pattern *p;
	const struct fr_model *m;
	const struct fr_causality *c;
	const struct fr_access_index *x;
	uint32_t order[FR_ROWS_EVENTS];
	struct fr_groups *ret;
	struct fr_matches matches;
	struct fr_map anchors; /* site -> number of its anchors so far */
	/* The match so far, by event of the pattern. */
	uint32_t at[FR_ROWS_EVENTS]; /* NONE: not chosen yet */
	fr_ev ev[FR_ROWS_EVENTS];
	uint32_t nodes;
	uint64_t credit;
};

/* ---- the order ---- */

/* How loosely event i is tied to the chosen ones; 0 is closest. */
static unsigned looseness(const struct fr_pattern *p, const bool *chosen, uint32_t i)
{
	bool thread = false, loc = false, region = false;

	for (uint32_t k = 0; k < p->n; k++) {
		if (!chosen[k])
			continue;
		thread |= p->ev[k].thread == p->ev[i].thread;
		loc |= p->ev[k].loc == p->ev[i].loc;
		region |= p->ev[i].region != FR_ROWS_ANY && p->ev[k].region == p->ev[i].region;
	}
	if (loc && thread)
		return region ? 0 : 1;
	if (thread && region)
		return 2;
	return loc ? 3 : thread ? 4 : 5;
}

/* Chooses as anchor an event at the location with the most events. */
static uint32_t choose_anchor(const struct fr_pattern *p)
{
	uint32_t best = 0, most = 0;

	for (uint32_t i = 0; i < p->n; i++) {
		uint32_t n = 0;

		for (uint32_t k = 0; k < p->n; k++)
			n += p->ev[k].loc == p->ev[i].loc;
		if (n > most) {
			most = n;
			best = i;
		}
	}
	fr_assert(most); /* the location of the event itself */
	return best;
}

static void choose_order(struct pattern_search *s)
{
	bool chosen[FR_ROWS_EVENTS] = {false};

	s->order[0] = choose_anchor(s->p);
	chosen[s->order[0]] = true;
	for (uint32_t d = 1; d < s->p->n; d++) {
		uint32_t best = NONE;

		for (uint32_t i = 0; i < s->p->n; i++)
			if (!chosen[i] && (best == NONE || looseness(s->p, chosen, i) <
							       looseness(s->p, chosen, best)))
				best = i;
		fr_assert(best != NONE);
		s->order[d] = best;
		chosen[best] = true;
	}
}

/* ---- does an access fit? ---- */

/* Must two events of the pattern, a before b, be pending at once? */
static bool must_meet(const struct fr_pattern *p, uint32_t a, uint32_t b)
{
	return fr_rows_at_once(p->ev, a, b) || (b == a + 1 && fr_rows_meets(p->ev, b));
}

/* Are an earlier and a later access of one thread in one region? */
static bool in_one_region(const struct pattern_search *s, fr_ev earlier, uint32_t later_at)
{
	const struct fr_span *p = &s->x->r->span.v[fr_access_span(s->x, later_at)];

	fr_assert_slow(earlier <= fr_access_ev(s->x, later_at));
	return fr_region_is_bracketed(fr_span_region(p, earlier));
}

static bool regions_fit(const struct pattern_search *s, uint32_t i, uint32_t k, uint32_t at,
			fr_ev e)
{
	const struct fr_row_event *a = &s->p->ev[i], *b = &s->p->ev[k];
	bool one;

	if (a->region == FR_ROWS_ANY || b->region == FR_ROWS_ANY || a->thread != b->thread)
		return true;
	one = e < s->ev[k] ? in_one_region(s, e, s->at[k]) : in_one_region(s, s->ev[k], at);
	return one == (a->region == b->region);
}

/* Do the operators of the pattern allow e for event i beside the chosen event k? */
static bool links_fit(const struct pattern_search *s, uint32_t i, fr_ev e, uint32_t k)
{
	uint32_t a = fr_min(i, k), b = fr_max(i, k);
	const struct fr_row_event *later = &s->p->ev[b];
	fr_ev other = s->ev[k];

	if (b == a + 1 && later->link == FR_LINK_NEXT && later->thread == s->p->ev[a].thread)
		return i < k ? fr_pattern_adjacent(s->m, e, other)
			     : fr_pattern_adjacent(s->m, other, e);
	if (s->p->ev[a].loc != later->loc || !must_meet(s->p, a, b))
		return true;
	return !(s->m->ev[e].flags & s->m->ev[other].flags & FR_F_ATOMIC);
}

/* Does the access fit event i, together with all chosen events? */
static bool fits(const struct pattern_search *s, uint32_t i, uint32_t at)
{
	const struct fr_row_event *p = &s->p->ev[i];
	fr_ev e = fr_access_ev(s->x, at);
	const struct fr_mev *v = &s->m->ev[e];
	uint8_t mask = v->mask;

	if (!(v->op == FR_OP_WRITE ? p->write : p->read) || v->flags & FR_NO_TARGET)
		return false;
	for (uint32_t k = 0; k < s->p->n; k++) {
		const struct fr_row_event *q = &s->p->ev[k];
		const struct fr_mev *w;

		if (s->at[k] == NONE)
			continue;
		w = &s->m->ev[s->ev[k]];
		if ((v->thread == w->thread) != (p->thread == q->thread))
			return false;
		if (v->thread == w->thread && (k < i ? fr_head(s->m, e) <= fr_head(s->m, s->ev[k])
						     : fr_head(s->m, e) >= fr_head(s->m, s->ev[k])))
			return false;
		if (p->loc == q->loc && v->obj != w->obj)
			return false;
		if (p->loc != q->loc && v->obj == w->obj && v->mask & w->mask)
			return false;
		if (p->loc == q->loc)
			mask &= w->mask;
		if (!regions_fit(s, i, k, at, e) || !links_fit(s, i, e, k))
			return false;
	}
	return mask; /* bytes that all have in common */
}

/* ---- a whole match ---- */

/* Does a lock that the thread of i and k holds from i to k keep j out? */
static bool lock_keeps_out(const struct pattern_search *s, uint32_t i, uint32_t j, uint32_t k)
{
	return fr_spans_exclude(s->x->r, fr_access_span(s->x, s->at[k]), s->ev[i],
				fr_access_span(s->x, s->at[j]));
}

/* Do orders or locks keep the two events from being pending at once? */
static bool cannot_meet(const struct pattern_search *s, uint32_t i, uint32_t k)
{
	return fr_pair_infeasible(s->m, s->c, fr_head(s->m, s->ev[i]), fr_head(s->m, s->ev[k])) !=
	       FR_WHY_NONE;
}

static bool excluded(const struct pattern_search *s)
{
	uint32_t n = s->p->n;

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = i + 1; j < n; j++) {
			if (fr_mhb(s->c, s->ev[j], s->ev[i]))
				return true;
			if (s->p->ev[i].thread == s->p->ev[j].thread)
				continue;
			if (must_meet(s->p, i, j) && cannot_meet(s, i, j))
				return true;
			for (uint32_t k = j + 1; k < n; k++)
				if (s->p->ev[i].thread == s->p->ev[k].thread &&
				    lock_keeps_out(s, i, j, k))
					return true;
		}
	return false;
}

/* Must the events happen in this order? Then they do in every run, so their order is not the
   bug. */
static bool happens_always(const struct pattern_search *s)
{
	for (uint32_t i = 0; i + 1 < s->p->n; i++)
		if (!fr_mhb(s->c, s->ev[i], s->ev[i + 1]))
			return false;
	return true;
}

static uint64_t site_and_access(const struct pattern_search *s, uint32_t i)
{
	const struct fr_mev *v = &s->m->ev[s->ev[i]];

	return (uint64_t)v->site << 1 | (v->op == FR_OP_WRITE);
}

/* The group of the match: its sites and whether they write. Two events at once have no order. */
static uint64_t key_of(const struct pattern_search *s)
{
	bool race = s->p->n == 2 && s->p->ev[1].link == FR_LINK_AT_ONCE;
	bool swap = race && site_and_access(s, 0) > site_and_access(s, 1);
	uint64_t h = s->p->n;

	for (uint32_t i = 0; i < s->p->n; i++)
		h = fr_mix(h, site_and_access(s, swap ? 1 - i : i));
	return h >> 1;
}

/* Does the automaton of the pattern accept the match? It has no regions, and events at once have
   marks that depend on all of them, so patterns with these are not asked. */
static bool is_accepted(const struct pattern_search *s)
{
	const struct fr_auto *a = s->p->automaton;
	uint32_t state = a ? a->dfa.start : 0;

	if (!a || a->groups)
		return true;
	for (uint32_t i = 0; i < s->p->n; i++) {
		bool write = s->m->ev[s->ev[i]].op == FR_OP_WRITE;
		uint32_t letter =
		    fr_auto_letter(a, 2u * s->p->ev[i].loc + write, s->p->ev[i].thread, 0);

		state = fr_dfa_step(&a->dfa, state, letter);
	}
	return a->bad[state];
}

static void see_match(struct pattern_search *s)
{
	struct fr_match_group of = {.key = key_of(s), .nev = s->p->n};
	struct fr_match w = {.ev = s->ev};
	fr_ev first = FR_NO_EV;

	for (uint32_t i = 0; i < s->p->n; i++) {
		fr_assert(s->at[i] != NONE);
		first = fr_min(first, s->ev[i]);
		w.end = fr_max(w.end, s->ev[i]);
	}
	for (uint32_t i = 0; i < s->p->n; i++)
		for (uint32_t k = 0; k < i; k++)
			fr_assert((s->m->ev[s->ev[i]].thread == s->m->ev[s->ev[k]].thread) ==
				  (s->p->ev[i].thread == s->p->ev[k].thread));
	w.apart = w.end - first;
	if (!fr_matches_want(&s->matches, of.key, &w))
		return;
	fr_assert(is_accepted(s));
	if (excluded(s) || happens_always(s) || !fr_pattern_has_form(s->p, s->m, s->c, s->ev))
		s->ret->excluded++;
	else if (!fr_matches_add(&s->matches, &of, &w))
		s->ret->cut_off++;
}

static void write_matches(void *arg, struct fr_group *g, const struct fr_match *w, uint32_t n)
{
	const struct pattern_search *s = arg;

	for (uint32_t i = 0; i < n; i++)
		fr_pattern_forms(s->p, s->m, s->c, w[i].ev, g);
}

/* ---- the search ---- */

static void choose_next(struct pattern_search *s, uint32_t depth);

/* Tries an access for the event. Returns false if it does not fit. */
static bool try_at(struct pattern_search *s, uint32_t depth, uint32_t at)
{
	uint32_t i = s->order[depth];

	if (s->nodes == NODES) {
		s->ret->cut_off++;
		s->nodes++;
	}
	if (s->nodes > NODES)
		return true;
	s->nodes++;
	fr_assert_slow(s->at[i] == NONE);
	if (!fits(s, i, at))
		return false;
	s->at[i] = at;
	s->ev[i] = fr_access_ev(s->x, at);
	choose_next(s, depth + 1);
	s->at[i] = NONE;
	return true;
}

/* The nearest chosen events of the same thread before and after event i. */
struct bounds {
	fr_ev after, before; /* FR_NO_EV: no bound */
};

static struct bounds bounds_of(const struct pattern_search *s, uint32_t i)
{
	struct bounds b = {FR_NO_EV, FR_NO_EV};

	for (uint32_t k = 0; k < s->p->n; k++) {
		if (s->at[k] == NONE || s->p->ev[k].thread != s->p->ev[i].thread)
			continue;
		if (k < i && (b.after == FR_NO_EV || s->ev[k] > b.after))
			b.after = s->ev[k];
		if (k > i && s->ev[k] < b.before)
			b.before = s->ev[k];
	}
	return b;
}

/* Tries the accesses of the class from index n on, in one direction, until one fits. */
static void try_towards(struct pattern_search *s, uint32_t depth, const struct fr_access_class *c,
			uint32_t n, int step)
{
	for (uint32_t looks = 0; n < c->n && looks < 16; n += (uint32_t)step, looks++)
		if (try_at(s, depth, s->x->at[c->first + n]))
			return;
}

static void try_class(struct pattern_search *s, uint32_t depth, const struct fr_access_class *c)
{
	uint32_t i = s->order[depth];
	struct bounds b = bounds_of(s, i);
	fr_ev pivot = s->ev[s->order[0]];

	fr_assert(depth && s->at[s->order[0]] != NONE);
	if (b.after == FR_NO_EV && b.before == FR_NO_EV)
		b.after = b.before = pivot;
	if (b.after != FR_NO_EV)
		try_towards(s, depth, c, fr_access_lower(s->x, c, b.after + 1), 1);
	if (b.before != FR_NO_EV)
		try_towards(s, depth, c, fr_access_lower(s->x, c, b.before) - 1, -1);
}

static bool may_be_of(const struct pattern_search *s, uint32_t i, const struct fr_access_class *c)
{
	const struct fr_row_event *p = &s->p->ev[i];

	if (!(c->write ? p->write : p->read))
		return false;
	for (uint32_t k = 0; k < s->p->n; k++)
		if (s->at[k] != NONE &&
		    (s->m->ev[s->ev[k]].thread == c->thread) != (s->p->ev[k].thread == p->thread))
			return false;
	return true;
}

static void try_location(struct pattern_search *s, uint32_t depth, uint32_t loc)
{
	for (uint32_t i = s->x->class_first[loc]; i < s->x->class_first[loc + 1]; i++)
		if (may_be_of(s, s->order[depth], &s->x->class.v[i]))
			try_class(s, depth, &s->x->class.v[i]);
}

/* The index of an access in the list of locations; false if its location does not matter. */
static bool access_at(const struct pattern_search *s, fr_ev e, uint32_t *ret)
{
	const struct fr_mclass *l = &s->m->cls[FR_C_LOC];
	uint32_t loc = s->m->ev[e].obj;

	if (!fr_is_access(&s->m->ev[e]) || s->x->r->first[loc] == UINT32_MAX)
		return false;
	*ret = l->first[loc] +
	       fr_list_lower(l->list + l->first[loc], l->first[loc + 1] - l->first[loc], e);
	fr_assert_slow(fr_access_ev(s->x, *ret) == e);
	return true;
}

static void try_event(struct pattern_search *s, uint32_t depth, fr_ev e)
{
	uint32_t at;

	if (access_at(s, e, &at))
		try_at(s, depth, at);
}

/* Could the event, or one beyond it, still be in the region that it must be in? */
static bool within_reach(const struct pattern_search *s, uint32_t i, fr_ev e)
{
	for (uint32_t k = 0; k < s->p->n; k++) {
		uint32_t at;

		if (s->at[k] == NONE || s->p->ev[i].region == FR_ROWS_ANY ||
		    s->p->ev[k].region != s->p->ev[i].region || !access_at(s, e, &at))
			continue;
		if (e < s->ev[k] ? !in_one_region(s, e, s->at[k]) : !in_one_region(s, s->ev[k], at))
			return false;
	}
	return true;
}

static bool is_tied(const struct pattern_search *s, uint32_t i)
{
	for (uint32_t k = 0; k < s->p->n; k++)
		if (s->at[k] != NONE && s->p->ev[i].region != FR_ROWS_ANY &&
		    s->p->ev[k].region == s->p->ev[i].region)
			return true;
	return false;
}

/* The thread is known, and the location unless it is NONE: tries the thread's events nearby, within
   the same region if required. Returns false if the limit was reached. */
static bool try_thread(struct pattern_search *s, uint32_t depth, uint32_t thread, uint32_t loc)
{
	const struct fr_mthread *t = &s->m->thread[thread];
	uint32_t i = s->order[depth], n;
	struct bounds b = bounds_of(s, i);
	bool back = b.after == FR_NO_EV;

	fr_assert(b.after != FR_NO_EV || b.before != FR_NO_EV); /* an event of the thread */
	n = back ? fr_list_lower(t->ev, t->n, b.before) : fr_list_lower(t->ev, t->n, b.after) + 1;
	for (uint32_t k = 0; back ? n > 0 : n < t->n && t->ev[n] < b.before; k++) {
		fr_ev e = t->ev[back ? --n : n++];
		bool fits = loc == NONE || s->m->ev[e].obj == loc;

		if (!fr_is_access(&s->m->ev[e]))
			continue;
		if (k == WALK)
			return false;
		if (k % 8 == 7)
			s->nodes += s->nodes < NODES;
		if ((fits || k % 8 == 7) && !within_reach(s, i, e))
			break;
		if (fits)
			try_event(s, depth, e);
	}
	return true;
}

/* Neither thread nor location is known: tries all events nearby. */
static void try_nearby(struct pattern_search *s, uint32_t depth)
{
	fr_ev pivot = s->ev[s->order[0]];

	for (fr_ev e = pivot + 1; e < s->m->n && e <= pivot + WALK; e++)
		try_event(s, depth, e);
	for (fr_ev e = pivot, k = 0; e-- > 0 && k < WALK; k++)
		try_event(s, depth, e);
}

static void choose_next(struct pattern_search *s, uint32_t depth)
{
	uint32_t i = depth < s->p->n ? s->order[depth] : 0, loc = NONE, thread = NONE;

	fr_assert(depth <= s->p->n);
	if (depth == s->p->n) {
		see_match(s);
		return;
	}
	for (uint32_t k = 0; k < s->p->n; k++) {
		if (s->at[k] == NONE)
			continue;
		if (s->p->ev[k].loc == s->p->ev[i].loc)
			loc = s->m->ev[s->ev[k]].obj;
		if (s->p->ev[k].thread == s->p->ev[i].thread)
			thread = s->m->ev[s->ev[k]].thread;
	}
	if (thread != NONE && (loc == NONE || is_tied(s, i))) {
		if (try_thread(s, depth, thread, loc))
			return;
		s->ret->cut_off += loc == NONE;
	}
	if (loc != NONE)
		try_location(s, depth, loc);
	else if (thread == NONE)
		try_nearby(s, depth);
}

/* Of anchors that are alike, tries the first few, then some now and then, as far as the credit
   goes. */
static bool worth_trying(struct pattern_search *s, const struct fr_access_class *c, uint32_t nth)
{
	uint64_t *of_site;

	s->credit += CREDIT_ACCESS;
	if (nth >= 8 && nth & (nth - 1) && nth % 32)
		return false;
	of_site = fr_map_put(&s->anchors, c->site);
	if (++*of_site <= SITE_FREE || s->credit >= NODES)
		return true;
	s->ret->cut_off++;
	return false;
}

void fr_pattern_generate(const struct fr_generator *self, const struct fr_model *m,
			 const struct fr_causality *c, const struct fr_generate_opt *opt,
			 struct fr_groups *ret)
{
	const struct fr_pattern *p = (const struct fr_pattern *)self;
	struct fr_regions regions;
	struct fr_access_index index;
	struct pattern_search s = {.p = p,
				   .m = m,
				   .c = c,
				   .x = &index,
				   .credit = CREDIT,
				   .ret = ret,
				   .matches = {.max = GROUPS_MAX}};

	fr_assert(self->generate == fr_pattern_generate); /* so it is the start of a pattern */
	fr_assert(p->n >= 2 && p->n <= FR_ROWS_EVENTS);
	*ret = (struct fr_groups){0};
	fr_regions_init(&regions, m, c, opt);
	fr_access_index_init(&index, &regions);
	choose_order(&s);
	for (uint32_t i = 0; i < FR_ROWS_EVENTS; i++)
		s.at[i] = NONE;
	FR_VEC_FOREACH (k, &index.class) {
		if (!may_be_of(&s, s.order[0], k))
			continue;
		for (uint32_t i = 0; i < k->n; i++) {
			if (!worth_trying(&s, k, i))
				continue;
			s.nodes = 0;
			try_at(&s, 0, index.at[k->first + i]);
			fr_assert(s.at[s.order[0]] == NONE);
			s.credit -= fr_min(s.credit, (uint64_t)s.nodes);
		}
	}
	ret->cut_off += index.cut_off;
	fr_matches_write(&s.matches, write_matches, &s, ret);
	fr_matches_free(&s.matches);
	fr_map_free(&s.anchors);
	fr_access_index_free(&index);
	fr_regions_free(&regions);
	fr_groups_sort(ret);
}
