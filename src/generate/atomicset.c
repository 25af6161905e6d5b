/*
 * Atomic-set violations: two units of work of different threads that access the same two locations
 * and conflict on both, in opposite directions: a1 before b1 on location 1, and b2 before a2 on
 * location 2. No serial order of the two units explains that. A set consists of the locations that
 * both threads access in one unit (PECAN 3; jPredictor 3.4), of the fields of one object, of the
 * locations that the user names (named_set.h), or of locations that one region joins
 * (joined_locations.h). If a unit is split over calls of other functions, which may be unrelated,
 * the locations must also be fields of one object, or both units must use the same two sites, or
 * the other unit must join them in one expression.
 *
 * Shapes have the numbers of Vaziri, Tip and Dolby (POPL 2006) as completed by Hammer and others
 * (ICSE 2008). Numbers 1 to 5 concern one location and are atomicity violations. u is the unit of
 * a1 and a2; ' marks the other unit.
 *
 *        6  W1 W'1 W'2 W2       7  W1 W'2 W'1 W2       8  W1 W'2 W2 W'1
 *        9  W1 R'1 R'2 W2      10  W1 R'2 R'1 W2      14  W1 R'2 W2 R'1
 *       11  R1 W'1 W'2 R2      12  R1 W'2 W'1 R2      13  R1 W'2 R2 W'1
 *
 * Shapes 8, 13 and 14 differ from 7, 12 and 10 only in which of the last two accesses comes first,
 * not in the conflicts, and are found as those. Shapes in which a unit reads one location and
 * writes the other have no number. If the other unit has the locations in the opposite order (7,
 * 10, 12), the situation is symmetric: u is then the unit that can be interrupted, if only one can.
 *
 * A pair in one step, such as two elements of an array that a loop sums, can only be b1 and b2. The
 * two accesses have no order, so the shapes with crossed accesses do not apply.
 *
 * work_unit.c finds the pairs of each unit. Pairs that are alike (sites, thread, locks, region)
 * form a class, of which the last is kept under its two locations. A new pair is compared with the
 * last of each class there. Comparisons are rationed, so the cost is linear in the events.
 *
 * Like an atomicity violation, each match gives several forms of candidate: with the last two
 * accesses both pending, and with one of them done and the other pending.
 *
 * Not handled: more than two locations or more than two units.
 */
#include "generate/matches.h"
#include "generate/work_unit.h"

#define CLASSES_MAX 400000
#define CHAIN_MAX 48
#define CREDIT 200000 /* comparisons of pairs, plus one for each event */
#define GROUPS_MAX 20000
#define MANY 4000     /* above this number of groups, fewer instances of each */
#define NEAR_MAX 2000 /* limit for fields of one object, the weakest evidence */

/* Pairs that are alike: the last one. */
struct alike {
	struct fr_unit_pair last;
	uint32_t next;	 /* next class with the same locations: index + 1 */
	uint32_t behind; /* number of classes from there on */
	uint32_t count;
};

struct atomicset_search {
	const struct fr_model *m;
	const struct fr_causality *c;
	struct fr_groups *ret;
	struct fr_regions regions;
	struct fr_fields fields;
	struct fr_matches matches;
	struct fr_map index; /* hash of two locations -> class + 1 */
	struct fr_map known; /* hash of everything that makes a class -> class + 1 */
	FR_VEC(struct alike) alike;
	uint64_t looks;
};

/* [crossed][a1 writes][b1 writes][b2 writes][a2 writes] */
static const enum fr_shape shapes[2][2][2][2][2] = {
    {{{{FR_SHAPE_NONE, FR_SHAPE_NONE}, {FR_SHAPE_NONE, FR_SHAPE_NONE}},
      {{FR_SHAPE_NONE, FR_SHAPE_RWRW}, {FR_SHAPE_RWWR, FR_SHAPE_RWWW}}},
     {{{FR_SHAPE_NONE, FR_SHAPE_WRRW}, {FR_SHAPE_WRWR, FR_SHAPE_WRWW}},
      {{FR_SHAPE_NONE, FR_SHAPE_WWRW}, {FR_SHAPE_WWWR, FR_SHAPE_WWWW}}}},
    {{{{FR_SHAPE_NONE, FR_SHAPE_NONE}, {FR_SHAPE_NONE, FR_SHAPE_NONE}},
      {{FR_SHAPE_NONE, FR_SHAPE_ACROSS_RRWW}, {FR_SHAPE_ACROSS_RWWR, FR_SHAPE_ACROSS_RWWW}}},
     {{{FR_SHAPE_NONE, FR_SHAPE_ACROSS_WRRW}, {FR_SHAPE_ACROSS_WWRR, FR_SHAPE_ACROSS_WWRW}},
      {{FR_SHAPE_NONE, FR_SHAPE_ACROSS_WRWW}, {FR_SHAPE_ACROSS_WWWR, FR_SHAPE_ACROSS_WWWW}}}},
};

/* How two accesses to one location conflict: 0 = not; else bit 0: x writes, bit 1: y writes. */
static unsigned conflict(uint16_t x, uint16_t y)
{
	unsigned xr = x & 0xff, xw = x >> 8, yr = y & 0xff, yw = y >> 8;

	return xw & yw ? 3 : xw & yr ? 1 : xr & yw ? 2 : 0;
}

/* Do locks keep the other pair from coming between? */
static bool is_closed(const struct atomicset_search *s, const struct fr_unit_pair *p,
		      const struct fr_unit_pair *other)
{
	return fr_spans_exclude(&s->regions, p->b.span, p->a.ev, other->a.span) ||
	       fr_spans_exclude(&s->regions, p->b.span, p->a.ev, other->b.span);
}

/* Of two crossed pairs, is x the unit u? */
static bool goes_first(const struct atomicset_search *s, const struct fr_unit_pair *x,
		       const struct fr_unit_pair *y)
{
	bool cx = is_closed(s, x, y), cy = is_closed(s, y, x);
	uint32_t sx = s->m->ev[x->a.ev].site, sy = s->m->ev[y->a.ev].site;

	if (cx != cy)
		return cy;
	return sx != sy ? sx < sy : s->m->ev[x->b.ev].site <= s->m->ev[y->b.ev].site;
}

/* Do locks make one unit wait for the end of the other? */
static bool excluded(const struct atomicset_search *s, const struct fr_unit_pair *u,
		     const struct fr_unit_pair *v, bool crossed)
{
	if (!crossed)
		return is_closed(s, u, v);
	for (uint32_t i = 0; i < s->regions.span.v[u->b.span].nheld; i++) {
		const struct fr_held *x = s->regions.held.v + s->regions.span.v[u->b.span].held + i;

		for (uint32_t k = 0; k < s->regions.span.v[v->b.span].nheld; k++) {
			const struct fr_held *y =
			    s->regions.held.v + s->regions.span.v[v->b.span].held + k;

			if (x->lock == y->lock && !(x->shared && y->shared) &&
			    x->acquire < u->a.ev && y->acquire < v->a.ev)
				return true;
		}
	}
	return false;
}

/* Is a sequence of calls the only reason why the two locations belong together? */
static bool is_loose(struct atomicset_search *s, const struct fr_unit_pair *x,
		     const struct fr_unit_pair *y)
{
	const struct fr_mev *ev = s->m->ev;

	return (x->loose || y->loose) &&
	       !(ev[x->a.ev].site == ev[y->a.ev].site && ev[x->b.ev].site == ev[y->b.ev].site) &&
	       !fr_fields_together(&s->fields, s->m, x->a.ev, x->b.ev);
}

/* Does one expression of a region use both locations: in a loop, or in the copy of a struct? */
static bool is_one_use(struct atomicset_search *s, const struct fr_unit_pair *p)
{
	const struct fr_mev *ev = s->m->ev;

	return fr_region_is_bracketed(p->region) &&
	       fr_regions_position(&s->regions, ev[p->a.ev].site) ==
		   fr_regions_position(&s->regions, ev[p->b.ev].site);
}

#define FORM_BOTH 1
#define FORM_CROSSED 2

/* Compares two pairs. u has a1 and a2; v has b1 and b2, in the opposite order if crossed. */
static void meet(struct atomicset_search *s, const struct fr_unit_pair *u,
		 const struct fr_unit_pair *v, bool crossed)
{
	const struct fr_model *m = s->m;
	const struct fr_unit_access *b1 = crossed ? &v->b : &v->a, *b2 = crossed ? &v->a : &v->b;
	unsigned c1 = conflict(u->a.what, b1->what), c2 = conflict(u->b.what, b2->what);
	const fr_ev ev[] = {u->a.ev, b1->ev, b2->ev, u->b.ev};
	enum fr_region region =
	    v->region == FR_REGION_JOINED || is_loose(s, u, v) ? FR_REGION_JOINED : u->region;
	struct fr_match_group of = {.region = region, .nev = fr_array_size(ev)};
	struct fr_match w = {.ev = ev};
	fr_ev first, last;

	fr_assert(m->ev[u->a.ev].thread != m->ev[v->a.ev].thread);
	fr_assert(m->ev[u->a.ev].obj == m->ev[b1->ev].obj &&
		  m->ev[u->b.ev].obj == m->ev[b2->ev].obj);
	if (!c1 || !c2)
		return;
	if (excluded(s, u, v, crossed)) {
		s->ret->excluded++;
		return;
	}
	of.shape = shapes[crossed][c1 & 1][c1 >> 1][c2 >> 1][c2 & 1];
	fr_assert(of.shape); /* both conflicts have a write */
	of.key = fr_mix(m->ev[ev[0]].site, (uint64_t)m->ev[ev[3]].site << 8 | region);
	of.key = fr_mix(of.key, (uint64_t)m->ev[ev[1]].site << 32 | m->ev[ev[2]].site);
	of.key = fr_mix(of.key, crossed << 4 | c1 << 2 | c2) >> 1;
	first = fr_min(u->a.ev, v->a.ev);
	last = fr_max(u->b.ev, v->b.ev);
	w.apart = fr_apart(first, last);
	w.end = last;
	w.context = (uint32_t)fr_mix((uint64_t)m->ev[u->a.ev].thread << 16 | m->ev[v->a.ev].thread,
				     (uint64_t)s->regions.span.v[u->b.span].locks << 32 |
					 s->regions.span.v[v->b.span].locks);
	if (!fr_matches_want(&s->matches, of.key, &w))
		return;
	if (fr_mhb(s->c, b1->ev, u->a.ev) || fr_mhb(s->c, u->b.ev, b2->ev)) {
		s->ret->excluded++;
		return;
	}
	if (!fr_spans_exclude(&s->regions, u->b.span, FR_NO_EV, v->b.span))
		w.note |= FORM_BOTH;
	if (crossed)
		w.note |= FORM_CROSSED;
	of.bug = fr_mix((uint64_t)fr_regions_position(&s->regions, m->ev[ev[0]].site) << 32 |
			    fr_regions_position(&s->regions, m->ev[ev[3]].site),
			region);
	if (!fr_matches_add(&s->matches, &of, &w))
		s->ret->cut_off++;
}

/* Does y join the locations of x? */
static bool joins(const struct fr_unit_pair *x, const struct fr_unit_pair *y)
{
	return x->region == FR_REGION_JOINED && !x->joins &&
	       (y->joins || fr_region_is_bracketed(y->region));
}

static bool may_meet(struct atomicset_search *s, const struct fr_unit_pair *x,
		     const struct fr_unit_pair *y)
{
	if (s->m->ev[x->a.ev].thread == s->m->ev[y->a.ev].thread)
		return false;
	if (x->region == FR_REGION_JOINED || y->region == FR_REGION_JOINED)
		return joins(x, y) || joins(y, x);
	return !is_loose(s, x, y) || is_one_use(s, x) || is_one_use(s, y);
}

/* The two accesses of `step` come between those of u. */
static void meet_step(struct atomicset_search *s, const struct fr_unit_pair *u,
		      const struct fr_unit_pair *step)
{
	struct fr_unit_pair v = *step;

	fr_assert(fr_unit_is_step(s->m, step));
	if (fr_unit_is_step(s->m, u))
		return;
	if (u->location[0] != v.location[0]) {
		v.location[0] = step->location[1];
		v.location[1] = step->location[0];
		v.a = step->b;
		v.b = step->a;
	}
	if (u->location[0] == v.location[0] && u->location[1] == v.location[1])
		meet(s, u, &v, false);
}

static void compare(struct atomicset_search *s, const struct fr_unit_pair *x,
		    const struct fr_unit_pair *y)
{
	if (!may_meet(s, x, y))
		return;
	if (fr_unit_is_step(s->m, y)) {
		meet_step(s, x, y);
		return;
	}
	if (fr_unit_is_step(s->m, x)) {
		meet_step(s, y, x);
		return;
	}
	if (x->location[0] == y->location[0] && x->location[1] == y->location[1]) {
		meet(s, x, y, false);
		meet(s, y, x, false);
	} else if (x->location[0] != y->location[1] || x->location[1] != y->location[0]) {
		return; /* other locations with the same hash */
	} else if (goes_first(s, x, y)) {
		meet(s, x, y, true);
	} else {
		meet(s, y, x, true);
	}
}

/* Is there credit for another comparison at this point of the run? */
static bool pay(struct atomicset_search *s, fr_ev e)
{
	bool there = s->looks < CREDIT + (uint64_t)e;

	s->looks += there;
	s->ret->cut_off += !there;
	return there;
}

/* Adds a class under its locations. Returns its index + 1; 0 if there are too many. */
static uint32_t new_alike(struct atomicset_search *s, uint64_t *at, uint64_t key)
{
	uint32_t n = *at ? s->alike.v[*at - 1].behind + 1 : 0;

	fr_assert(n <= CHAIN_MAX);
	if (n >= CHAIN_MAX || s->alike.n >= CLASSES_MAX) {
		s->ret->cut_off++;
		return 0;
	}
	fr_assert(*at <= s->alike.n && !fr_map_get(&s->known, key));
	fr_vec_push(&s->alike, (struct alike){.next = (uint32_t)*at, .behind = n});
	*at = s->alike.n;
	*fr_map_put(&s->known, key) = s->alike.n;
	return (uint32_t)s->alike.n;
}

static void see_pair(void *arg, const struct fr_unit_pair *p)
{
	struct atomicset_search *s = arg;
	const struct fr_mev *a = &s->m->ev[p->a.ev], *b = &s->m->ev[p->b.ev];
	bool up = p->location[0] < p->location[1];
	uint64_t locations = fr_mix(p->location[!up], p->location[up]);
	uint64_t context = (uint64_t)a->thread << 40 | (uint64_t)p->joins << 39 |
			   (uint64_t)p->region << 32 | s->regions.span.v[p->b.span].locks;
	uint64_t key = fr_mix(fr_mix((uint64_t)a->site << 32 | b->site, context),
			      ((uint64_t)p->a.what << 16 | p->b.what) ^ locations) >>
		       1;
	uint64_t *at;
	uint32_t i;

	fr_assert_slow(p->a.ev <= p->b.ev && p->location[0] != p->location[1]);
	fr_assert_slow(p->a.what && p->b.what && a->thread == b->thread);
	if (!pay(s, p->b.ev))
		return;
	at = fr_map_get(&s->known, key);
	i = at ? (uint32_t)*at : 0;
	if (i && !fr_sample_now(s->alike.v[i - 1].count)) {
		s->alike.v[i - 1].count++;
		s->alike.v[i - 1].last = *p;
		return;
	}
	at = fr_map_put(&s->index, locations >> 1);
	if (!i)
		i = new_alike(s, at, key);
	if (!i)
		return;
	fr_assert(*at && *at <= s->alike.n);
	s->alike.v[i - 1].count++;
	s->alike.v[i - 1].last = *p;
	for (i = (uint32_t)*at; i && pay(s, p->b.ev); i = s->alike.v[i - 1].next)
		compare(s, p, &s->alike.v[i - 1].last);
}

/* ---- instances ---- */

/* order: a1, b1, b2, a2 (as 0 ... 3) in the order in which they must happen. The last npending are
   pending. */
static void write_instance(const struct fr_model *m, struct fr_group *g, const fr_ev *ev,
			   const uint8_t order[4], bool crossed, uint32_t npending)
{
	static const uint8_t plain[] = {0, 1, 2, 3}, other[] = {0, 2, 1, 3};
	static const uint32_t memory[] = {1, 1, 2, 2};
	struct fr_instance *in = fr_instance_new(4);
	const uint8_t *shape = crossed ? other : plain;
	char what[4];

	fr_assert(npending == 1 || npending == 2);
	fr_assert(g->shape >= (crossed ? FR_SHAPE_ACROSS_RRWW : FR_SHAPE_RWRW));
	fr_assert(m->ev[ev[0]].thread == m->ev[ev[3]].thread &&
		  m->ev[ev[1]].thread == m->ev[ev[2]].thread &&
		  m->ev[ev[0]].thread != m->ev[ev[1]].thread);
	for (unsigned i = 0; i < 4; i++)
		what[shape[i]] = fr_shape_operations[g->shape][i];
	for (unsigned i = 0; i < 4; i++) {
		uint8_t k = order[i];

		in->actor[i] = (struct fr_actor){
		    fr_instance_part(m, ev[k], what[k]),
		    k == 0 || k == 3 ? FR_ROLE_FIRST_UNIT : FR_ROLE_SECOND_UNIT, memory[k]};
	}
	in->what.npending = npending;
	for (uint32_t i = 0; i < npending; i++)
		in->what.pending[i] = fr_head(m, ev[order[4 - npending + i]]);
	in->what.nedges = 2;
	in->what.edge[0].before = fr_head(m, ev[0]);
	in->what.edge[0].after = fr_head(m, ev[1]);
	in->what.edge[1].before = fr_head(m, ev[2]);
	in->what.edge[1].after = fr_head(m, ev[3]);
	/* no order can be demanded of two pending targets */
	if (npending == 2 && !crossed)
		in->what.nedges = 1;
	fr_vec_push(&g->instance, in);
}

static void write_matches(void *arg, struct fr_group *g, const struct fr_match *w, uint32_t n)
{
	static const uint8_t plain[] = {0, 1, 2, 3}, other[] = {0, 2, 1, 3}, last[] = {0, 2, 3, 1};
	const struct atomicset_search *s = arg;

	for (uint32_t i = 0; i < n; i++)
		if (w[i].note & FORM_BOTH)
			write_instance(s->m, g, w[i].ev, w[i].note & FORM_CROSSED ? other : plain,
				       w[i].note & FORM_CROSSED, 2);
	for (uint32_t i = 0; i < n; i++) {
		if (w[i].note & FORM_CROSSED) {
			write_instance(s->m, g, w[i].ev, other, true, 1);
			write_instance(s->m, g, w[i].ev, last, true, 1);
		} else {
			write_instance(s->m, g, w[i].ev, plain, false, 1);
		}
	}
}

static void generate(const struct fr_generator *self, const struct fr_model *m,
		     const struct fr_causality *c, const struct fr_generate_opt *opt,
		     struct fr_groups *ret)
{
	struct atomicset_search *s = fr_xcalloc(1, sizeof(*s));
	struct fr_sets sets;

	(void)self;
	*ret = (struct fr_groups){0};
	s->m = m;
	s->c = c;
	s->ret = ret;
	s->matches.max = GROUPS_MAX;
	s->matches.many = MANY;
	s->matches.max_near = NEAR_MAX;
	fr_regions_init(&s->regions, m, c, opt);
	fr_sets_find(&sets, m, opt);
	FR_VEC_FOREACH (name, &sets.unmatched)
		fr_vec_push(&ret->unmatched, *name);
	sets.unmatched.n = 0; /* now owned by ret */
	ret->cut_off +=
	    fr_units_find(&s->regions, &sets, opt->no_near ? NULL : &s->fields, see_pair, s);
	fr_sets_free(&sets);
	fr_regions_free(&s->regions);
	fr_fields_free(&s->fields);
	fr_map_free(&s->index);
	fr_map_free(&s->known);
	fr_vec_free(&s->alike);
	fr_matches_write(&s->matches, write_matches, s, ret);
	fr_matches_free(&s->matches);
	free(s);
	fr_groups_sort(ret);
}

const struct fr_generator fr_generator_atomicset = {
    .name = "atomic-set-violation",
    .summary = "two locations belong together, and a thread sees or leaves only one changed",
    .meeting = FR_MEETING_REGIONS,
    .rank = 70,
    .guess = true,
    .named_sets = true,
    .generate = generate,
};
