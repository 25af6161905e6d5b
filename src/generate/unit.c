/*
 * Units of work: see unit.h. Along the run, each thread has the accesses of its current unit and
 * some earlier ones, which may contain the first of two split lock regions. An access that is not
 * in a region with the last one ends the unit.
 *
 * The sets that the user named are tracked separately, and so are the fields of the last few
 * objects that a thread accesses.
 *
 * Invariant: a thread's accesses [0, begin) are earlier ones, and [begin, n) are its current unit.
 * Cost:      a unit has at most UNIT_MAX accesses, so at most UNIT_MAX squared pairs. A unit like
 *            many earlier ones is examined only now and then.
 */
#include "generate/unit.h"
#include "generate/guard.h"
#include "generate/joined.h"
#include <string.h>

#define UNIT_MAX 32
#define STEP_MAX 64	      /* parts of a step that are examined */
#define OF_FIELDS FR_SETS_MAX /* replaces the number of a set */
#define OBJECTS 4	      /* objects per thread whose fields are tracked */
#define SEEN_MAX 1000000      /* limit for different units that are counted */

struct unit {
	struct fr_unit_access access[2 * UNIT_MAX];
	uint32_t begin, n;
};

/* A thread's accesses to the fields of an object. */
struct object {
	uint64_t id; /* 0 = none */
	uint64_t last;
	struct unit unit;
};

struct units {
	struct fr_regions *r;
	const struct fr_model *m;
	const struct fr_sets *sets;
	struct unit *unit;  /* one per thread */
	struct unit *named; /* one per thread and set */
	struct fr_fields *fields;
	struct object *object; /* OBJECTS per thread */
	struct fr_map seen;    /* hash of a unit -> number of occurrences */
	void (*see)(void *arg, const struct fr_unit_pair *p);
	void *arg;
	uint64_t cut_off;
};

static uint64_t location_of(const struct units *u, const struct fr_unit_access *a)
{
	return fr_unit_location(u->m, a);
}

/* The unit of the second access of a pair, with the previous region if that is split. */
struct scope {
	const struct unit *x;
	uint32_t from; /* earlier accesses do not belong to it */
	/* for each access, the bytes that count; 0: none, or outside */
	uint16_t counts[2 * UNIT_MAX];
	uint64_t location[2 * UNIT_MAX];
};

static bool within(const struct scope *s, uint32_t i, fr_ev split, fr_ev end)
{
	fr_ev e = s->x->access[i].ev;

	return i >= s->x->begin || (e >= split && e < end);
}

/* Sets up a scope. [split, end): the previous region. */
static void see_scope(const struct units *u, struct scope *s, fr_ev split, fr_ev end)
{
	const struct unit *x = s->x;

	fr_assert(x->begin <= x->n && x->n <= 2 * UNIT_MAX);
	for (s->from = 0; s->from < x->begin && !within(s, s->from, split, end);)
		s->from++;
	for (uint32_t i = s->from; i < x->n; i++) {
		s->counts[i] = within(s, i, split, end) ? x->access[i].what : 0;
		s->location[i] = location_of(u, &x->access[i]);
	}
	/* reads of bytes that the unit writes do not count */
	for (uint32_t i = s->from; i < x->n; i++) {
		uint16_t w = s->counts[i] >> 8;

		for (uint32_t k = s->from; w && k < x->n; k++)
			if (s->location[k] >> 3 == s->location[i] >> 3)
				s->counts[k] &= (uint16_t)~w;
	}
}

/* The pairs to pick: those in regions, in split regions, in a set, or in an object. */
enum pick { PICK_REGION, PICK_SPLIT, PICK_SET, PICK_FIELDS };

static bool picks(struct units *u, enum pick pick, struct fr_unit_pair *p)
{
	enum fr_region r = fr_span_region(&u->r->span.v[p->b.span], p->a.ev);
	enum fr_split split = FR_SPLIT_NOT;

	fr_assert_slow(p->a.ev < p->b.ev && p->location[0] != p->location[1]);
	if (r == FR_REGION_SPLIT) {
		split = fr_regions_split(u->r, p->b.span, p->a.ev, p->b.ev);
		r = split == FR_SPLIT_NOT ? FR_REGION_NEAR : r;
	}
	p->loose = split == FR_SPLIT_CALLS;
	if (r == FR_REGION_NEAR && pick == PICK_SET)
		r = FR_REGION_SET;
	if (r == FR_REGION_NEAR && pick == PICK_FIELDS &&
	    fr_fields_together(u->fields, u->m, p->a.ev, p->b.ev) &&
	    !(fr_sets_of(u->sets, p->location[0]) & fr_sets_of(u->sets, p->location[1])))
		r = FR_REGION_FIELDS;
	p->region = r;
	return pick == PICK_REGION  ? fr_region_is_bracketed(r)
	       : pick == PICK_SPLIT ? r == FR_REGION_SPLIT
	       : pick == PICK_SET   ? r == FR_REGION_SET
				    : r == FR_REGION_FIELDS;
}

bool fr_unit_steps_meet(const struct fr_model *m, fr_ev a, fr_ev b)
{
	fr_ev from = fr_head(m, b), e = fr_head(m, a), begin = e;

	for (; e < m->n && (e == begin || m->ev[e].flags & FR_F_PART) && e - begin < STEP_MAX; e++)
		for (fr_ev x = from;
		     x < m->n && (x == from || m->ev[x].flags & FR_F_PART) && x - from < STEP_MAX;
		     x++)
			if (m->ev[e].obj == m->ev[x].obj && m->ev[e].mask & m->ev[x].mask &&
			    fr_is_access(&m->ev[e]) && fr_is_access(&m->ev[x]))
				return true;
	return false;
}

/* Picks the pairs with this second access. */
static void pairs_of(struct units *u, const struct scope *s, uint32_t second, enum pick pick)
{
	const struct unit *x = s->x;
	struct fr_unit_pair p = {.b = x->access[second]};
	uint64_t done[2 * UNIT_MAX];
	uint32_t ndone = 0;

	p.location[1] = s->location[second];
	p.b.what = s->counts[second];
	fr_assert(s->from <= second && second < x->n);
	if (!p.b.what)
		return;
	for (uint32_t i = second; i-- > s->from;) {
		uint32_t k = 0;

		p.a = x->access[i];
		p.location[0] = s->location[i];
		if (!s->counts[i] || fr_head(u->m, p.a.ev) == fr_head(u->m, p.b.ev))
			continue;
		if (p.location[0] == p.location[1])
			return;
		while (k < ndone && done[k] != p.location[0])
			k++;
		if (k < ndone)
			continue;
		fr_assert_slow(ndone < fr_array_size(done));
		done[ndone++] = p.location[0];
		p.a.what = s->counts[i];
		if (!fr_unit_steps_meet(u->m, p.a.ev, p.b.ev) && picks(u, pick, &p))
			u->see(u->arg, &p);
	}
}

/* Is the unit rare so far, or is it time to examine one more of its kind? set: 0 for a region.
   There may be as many objects as accesses, so for fields only the sites count. */
static bool is_wanted(struct units *u, const struct unit *x, uint32_t set)
{
	uint64_t h = set, *at;

	for (uint32_t i = x->begin; i < x->n; i++) {
		const struct fr_mev *v = &u->m->ev[x->access[i].ev];

		h = fr_mix(h, (set > OF_FIELDS ? 0 : (uint64_t)v->obj << 32) | v->site);
		h = i == x->begin ? fr_mix(h, v->thread) : h;
	}
	at = fr_map_get(&u->seen, h >> 1);
	if (!at && u->seen.n >= SEEN_MAX) {
		u->cut_off++;
		return false;
	}
	return fr_sample_now((*fr_map_put(&u->seen, h >> 1))++);
}

static void end_unit(struct units *u, struct unit *x)
{
	uint32_t drop;

	if (x->n > x->begin && is_wanted(u, x, 0)) {
		struct scope own = {.x = x}, both = {.x = x};
		fr_ev split = FR_NO_EV;

		see_scope(u, &own, FR_NO_EV, FR_NO_EV);
		for (uint32_t i = x->begin; i < x->n; i++) {
			const struct fr_span *span = &u->r->span.v[x->access[i].span];

			pairs_of(u, &own, i, PICK_REGION);
			if (span->split == FR_NO_EV)
				continue;
			if (span->split != split)
				see_scope(u, &both, span->split, span->split_end);
			split = span->split;
			pairs_of(u, &both, i, PICK_SPLIT);
		}
	}
	/* keep at most UNIT_MAX */
	drop = x->n > UNIT_MAX ? x->n - UNIT_MAX : 0;
	memmove(x->access, x->access + drop, (x->n - drop) * sizeof(*x->access));
	x->begin = x->n -= drop;
	fr_assert(x->n <= UNIT_MAX); /* a whole unit fits behind */
}

/* In a long unit, keeps only the last access of each site and kind. Returns false if the unit is
   full. */
static bool make_room(struct units *u, struct unit *x, const struct fr_unit_access *a)
{
	if (x->n - x->begin < UNIT_MAX / 2)
		return true;
	for (uint32_t i = x->begin; i < x->n; i++) {
		const struct fr_unit_access *o = &x->access[i];

		if (u->m->ev[o->ev].site == u->m->ev[a->ev].site &&
		    location_of(u, o) == location_of(u, a) && o->what == a->what) {
			memmove(&x->access[i], &x->access[i + 1],
				(--x->n - i) * sizeof(*x->access));
			return true;
		}
	}
	u->cut_off += x->n - x->begin == UNIT_MAX;
	return x->n - x->begin < UNIT_MAX;
}

static struct fr_unit_access access_of(const struct fr_mev *v, fr_ev e, uint32_t span)
{
	return (struct fr_unit_access){e, span,
				       (uint16_t)(v->op == FR_OP_WRITE ? v->mask << 8 : v->mask)};
}

/* Is the access part of a step that the unit already contains? Then merges it. */
static bool is_merged(struct units *u, struct unit *x, const struct fr_unit_access *a)
{
	for (uint32_t i = x->n; u->m->ev[a->ev].flags & FR_F_PART && i-- > x->begin;) {
		if (fr_head(u->m, x->access[i].ev) != fr_head(u->m, a->ev))
			break;
		if (location_of(u, &x->access[i]) == location_of(u, a)) {
			x->access[i].what |= a->what;
			return true;
		}
	}
	return false;
}

static void see_access(struct units *u, fr_ev e, uint32_t span)
{
	const struct fr_mev *v = &u->m->ev[e];
	const struct fr_span *s = &u->r->span.v[span];
	struct unit *x = &u->unit[v->thread];
	struct fr_unit_access a = access_of(v, e, span);

	if (fr_min(fr_min(s->annotated, s->named), s->lock) == FR_NO_EV || is_merged(u, x, &a))
		return;
	if (x->n > x->begin && !fr_region_is_bracketed(fr_span_region(s, x->access[x->n - 1].ev)))
		end_unit(u, x);
	fr_assert_slow(!x->n || x->access[x->n - 1].ev < e);
	if (make_room(u, x, &a))
		x->access[x->n++] = a;
}

/* ---- sets that the user named, fields of one object ---- */

static void end_set(struct units *u, struct unit *x, uint32_t set, enum pick pick)
{
	fr_assert(!x->begin && x->n <= UNIT_MAX); /* it keeps no earlier accesses */
	if (x->n && is_wanted(u, x, set + 1)) {
		struct scope own = {.x = x};

		see_scope(u, &own, FR_NO_EV, FR_NO_EV);
		for (uint32_t i = 0; i < x->n; i++)
			pairs_of(u, &own, i, pick);
	}
	x->n = 0;
}

/* Does the function of the last access alone access two locations? */
static bool is_whole(struct units *u, const struct unit *x)
{
	struct fr_code last = fr_regions_code(u->r, u->m->ev[x->access[x->n - 1].ev].site);

	for (uint32_t i = x->n - 1; i--;) {
		struct fr_code c = fr_regions_code(u->r, u->m->ev[x->access[i].ev].site);

		if (!fr_code_same_function(&c, &last))
			return false;
		if (location_of(u, &x->access[i]) != location_of(u, &x->access[x->n - 1]))
			return true;
	}
	return false;
}

/* Does the access belong to the thread's current unit? */
static bool continues_unit(struct units *u, const struct unit *x, const struct fr_unit_access *a)
{
	const struct fr_unit_access *l = &x->access[x->n - 1];
	struct fr_code from = fr_regions_code(u->r, u->m->ev[l->ev].site),
		       to = fr_regions_code(u->r, u->m->ev[a->ev].site);

	if (fr_head(u->m, l->ev) == fr_head(u->m, a->ev))
		return true;
	if (l->ev < u->r->span.v[a->span].since)
		return false;
	/* `x = y`: the write is to the left of the read */
	if (fr_code_follows(&to, &from) &&
	    !(to.line == from.line && !(l->what >> 8) && !(a->what & 0xff)))
		return false;
	for (uint32_t i = 0; i < x->n; i++)
		if (u->m->ev[x->access[i].ev].site == u->m->ev[a->ev].site &&
		    location_of(u, &x->access[i]) == location_of(u, a))
			return false;
	return fr_code_same_function(&from, &to) || !is_whole(u, x);
}

static void see_in_set(struct units *u, struct unit *x, const struct fr_unit_access *a,
		       uint32_t set, enum pick pick)
{
	if (is_merged(u, x, a))
		return;
	if (x->n && !continues_unit(u, x, a))
		end_set(u, x, set, pick);
	if (make_room(u, x, a))
		x->access[x->n++] = *a;
}

static void see_sets(struct units *u, fr_ev e, uint32_t span)
{
	const struct fr_mev *v = &u->m->ev[e];
	struct fr_unit_access a = access_of(v, e, span);

	for (uint32_t mask = fr_sets_of(u->sets, location_of(u, &a)); mask; mask &= mask - 1) {
		uint32_t set = (uint32_t)__builtin_ctz(mask);

		see_in_set(u, &u->named[v->thread * u->sets->n + set], &a, set, PICK_SET);
	}
}

static void see_field(struct units *u, fr_ev e, uint32_t span)
{
	const struct fr_mev *v = &u->m->ev[e];
	struct fr_unit_access a = access_of(v, e, span);
	uint64_t id = fr_fields_object(u->fields, u->m, e);
	struct object *o = u->object + (size_t)v->thread * OBJECTS, *x = o;

	if (!id)
		return;
	for (unsigned i = 0; i < OBJECTS; i++) {
		if (o[i].id == id) {
			x = &o[i];
			break;
		}
		if (o[i].last < x->last)
			x = &o[i];
	}
	fr_assert(x->last <= e);
	if (x->id != id)
		end_set(u, &x->unit, OF_FIELDS, PICK_FIELDS);
	x->id = id;
	x->last = (uint64_t)e + 1;
	see_in_set(u, &x->unit, &a, OF_FIELDS, PICK_FIELDS);
}

/* ---- the walk ---- */

/* Calls `see` for each access to a location that matters, in recorded order. */
static void walk(struct units *u, struct fr_joined *j,
		 void (*see)(struct units *u, struct fr_joined *j, fr_ev e, uint32_t span))
{
	const struct fr_mclass *k = &u->m->cls[FR_C_LOC];
	FR_CLEANUP(fr_freep) uint32_t *next = fr_xmalloc(((size_t)k->n + 1) * sizeof(*next));

	memcpy(next, u->r->first, k->n * sizeof(*next));
	for (fr_ev e = 0; e < u->m->n; e++) {
		const struct fr_mev *v = &u->m->ev[e];
		uint32_t span;

		if (!fr_is_access(v) || next[v->obj] == UINT32_MAX)
			continue;
		span = u->r->of[next[v->obj]++];
		if (!(v->flags & FR_NO_TARGET))
			see(u, j, e, span);
	}
}

static void see_first(struct units *u, struct fr_joined *j, fr_ev e, uint32_t span)
{
	struct fr_unit_access a = access_of(&u->m->ev[e], e, span);

	see_access(u, e, span);
	fr_joined_read(j, &a);
}

static void note(void *arg, const struct fr_unit_pair *p)
{
	fr_joined_note(arg, p);
}

/* The first walk: finds the joined locations. */
static void find_joined(const struct units *all, struct fr_joined *j)
{
	struct units u = {.r = all->r, .m = all->m, .see = note, .arg = j};

	u.unit = fr_xcalloc((size_t)u.m->nthreads + 1, sizeof(*u.unit));
	walk(&u, j, see_first);
	for (uint32_t t = 0; t < u.m->nthreads; t++)
		end_unit(&u, &u.unit[t]);
	fr_joined_end(j, false);
	free(u.unit);
	fr_map_free(&u.seen);
}

/* j: with joined locations. */
static void see_all(struct units *u, struct fr_joined *j, fr_ev e, uint32_t span)
{
	struct fr_unit_access a = access_of(&u->m->ev[e], e, span);

	see_access(u, e, span);
	if (u->sets->n)
		see_sets(u, e, span);
	if (u->fields)
		see_field(u, e, span);
	if (j->pair.n)
		fr_joined_see(j, &a);
}

static void end_all(struct units *u, uint32_t t)
{
	end_unit(u, &u->unit[t]);
	for (uint32_t i = 0; i < u->sets->n; i++)
		end_set(u, &u->named[t * u->sets->n + i], i, PICK_SET);
	for (uint32_t i = 0; u->fields && i < OBJECTS; i++)
		end_set(u, &u->object[(size_t)t * OBJECTS + i].unit, OF_FIELDS, PICK_FIELDS);
}

uint64_t fr_units_find(struct fr_regions *r, const struct fr_sets *sets, struct fr_fields *fields,
		       void (*see)(void *arg, const struct fr_unit_pair *p), void *arg)
{
	const struct fr_model *m = r->m;
	struct units u = {.r = r, .m = m, .sets = sets, .fields = fields, .see = see, .arg = arg};
	struct fr_joined j;

	fr_joined_init(&j, r, fields, see, arg);
	if (fields)
		find_joined(&u, &j);
	u.unit = fr_xcalloc((size_t)m->nthreads + 1, sizeof(*u.unit));
	u.object = fr_xcalloc(fields ? (size_t)m->nthreads * OBJECTS : 1, sizeof(*u.object));
	u.named = fr_xcalloc((size_t)m->nthreads * sets->n + 1, sizeof(*u.named));
	walk(&u, &j, see_all);
	for (uint32_t t = 0; t < m->nthreads; t++)
		end_all(&u, t);
	fr_joined_end(&j, true);
	u.cut_off += j.cut_off;
	fr_joined_free(&j);
	free(u.unit);
	free(u.named);
	free(u.object);
	fr_map_free(&u.seen);
	return u.cut_off;
}
