/*
 * Units of work: see work_unit.h. Along the run, each thread has the accesses of its current unit
 * and some earlier ones, which may contain the first of two split lock regions. An access that is
 * not in a region with the last one ends the unit.
 *
 * The sets that the user named are tracked separately, and so are the fields of the last few
 * objects that a thread accesses.
 *
 * Invariant: a thread's accesses [0, begin) are earlier ones, and [begin, n) are its current unit.
 * Cost:      a unit has at most UNIT_MAX accesses, so at most UNIT_MAX squared pairs. A unit like
 *            many earlier ones is examined only now and then.
 */
#include "generate/work_unit.h"
#include "generate/unguarded.h"
#include "generate/joined_locations.h"
#include <string.h>

#define UNIT_MAX 32
#define STEP_MAX 64	      /* parts of a step that are examined */
#define OF_FIELDS FR_SETS_MAX /* replaces the number of a set */
#define OBJECTS 4	      /* objects per thread whose fields are tracked */
#define SEEN_MAX 1000000      /* limit for different units that are counted */
_Static_assert(UNIT_MAX / 2 > 0 && UNIT_MAX > 1, "a unit has room for a pair");

struct work_unit {
	struct fr_unit_access access[2 * UNIT_MAX];
	uint32_t begin, n;
};

/* A thread's accesses to the fields of an object. */
struct unit_object {
	uint64_t id; /* 0 = none */
	uint64_t last;
	struct work_unit unit;
};

struct work_units {
	struct fr_regions *r;
	const struct fr_model *m;
	const struct fr_sets *sets;
	struct work_unit *unit;	 /* one per thread */
	struct work_unit *named; /* one per thread and set */
	struct fr_fields *fields;
	struct unit_object *object; /* OBJECTS per thread */
	struct fr_map seen;	    /* hash of a unit -> number of occurrences */
	uint8_t *borders;	    /* of each location, see borders_of; 0: not computed */
	void (*see)(void *arg, const struct fr_unit_pair *p);
	void *arg;
	uint64_t cut_off;
};

static uint64_t location_of(const struct work_units *u, const struct fr_unit_access *a)
{
	return fr_unit_location(u->m, a);
}

/* The unit of the second access of a pair, with the previous region if that is split. */
struct scope {
	const struct work_unit *x;
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
static void see_scope(const struct work_units *u, struct scope *s, fr_ev split, fr_ev end)
{
	const struct work_unit *x = s->x;

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

static bool picks(struct work_units *u, enum pick pick, struct fr_unit_pair *p)
{
	enum fr_region r = fr_span_region(&u->r->span.v[p->b.span], p->a.ev);
	enum fr_split split = FR_SPLIT_NOT;

	fr_assert(p->a.ev <= p->b.ev && p->location[0] != p->location[1]);
	fr_assert(u->m->ev[p->a.ev].thread == u->m->ev[p->b.ev].thread);
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
static void pairs_of(struct work_units *u, const struct scope *s, uint32_t second, enum pick pick)
{
	const struct work_unit *x = s->x;
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
		p.a.what = s->counts[i];
		if (!p.a.what)
			continue;
		if (fr_unit_is_step(u->m, &p)) {
			if (picks(u, pick, &p))
				u->see(u->arg, &p);
			continue;
		}
		if (p.location[0] == p.location[1])
			return;
		while (k < ndone && done[k] != p.location[0])
			k++;
		if (k < ndone)
			continue;
		fr_assert_slow(ndone < fr_array_size(done));
		done[ndone++] = p.location[0];
		if (!fr_unit_steps_meet(u->m, p.a.ev, p.b.ev) && picks(u, pick, &p))
			u->see(u->arg, &p);
	}
}

/* Is the unit rare so far, or is it time to examine one more like it? set: 0 for a region. There
   may be as many objects as accesses, so for fields only the sites count. */
static bool is_wanted(struct work_units *u, const struct work_unit *x, uint32_t set)
{
	uint64_t h = set, *at;

	fr_assert(set <= OF_FIELDS + 1 && x->begin < x->n);
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

static void end_unit(struct work_units *u, struct work_unit *x)
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

/* In a long unit, keeps only the last access of each site and event kind. Returns false if the unit
   is full. */
static bool make_room(struct work_units *u, struct work_unit *x, const struct fr_unit_access *a)
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
static bool is_merged(struct work_units *u, struct work_unit *x, const struct fr_unit_access *a)
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

static void see_access(struct work_units *u, const struct fr_unit_access *a)
{
	const struct fr_span *s = &u->r->span.v[a->span];
	struct work_unit *x = &u->unit[u->m->ev[a->ev].thread];

	if (fr_min(fr_min(s->annotated, s->named), s->lock) == FR_NO_EV || is_merged(u, x, a))
		return;
	if (x->n > x->begin && !fr_region_is_bracketed(fr_span_region(s, x->access[x->n - 1].ev)))
		end_unit(u, x);
	fr_assert_slow(!x->n || x->access[x->n - 1].ev <= a->ev);
	if (make_room(u, x, a)) {
		fr_assert(x->n < 2 * UNIT_MAX);
		x->access[x->n++] = *a;
	}
}

/* ---- sets that the user named, fields of one object ---- */

static void end_set(struct work_units *u, struct work_unit *x, uint32_t set, enum pick pick)
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
static bool is_whole(struct work_units *u, const struct work_unit *x)
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
static bool continues_unit(struct work_units *u, const struct work_unit *x,
			   const struct fr_unit_access *a)
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

static void see_in_set(struct work_units *u, struct work_unit *x, const struct fr_unit_access *a,
		       uint32_t set, enum pick pick)
{
	if (is_merged(u, x, a))
		return;
	if (x->n && !continues_unit(u, x, a))
		end_set(u, x, set, pick);
	if (make_room(u, x, a)) {
		fr_assert(!x->begin && x->n < UNIT_MAX);
		x->access[x->n++] = *a;
	}
}

static void see_sets(struct work_units *u, const struct fr_unit_access *a)
{
	const struct fr_unit_access whole = access_of(&u->m->ev[a->ev], a->ev, a->span);
	uint32_t thread = u->m->ev[a->ev].thread;

	for (uint32_t mask = fr_sets_of(u->sets, location_of(u, a)) |
			     fr_sets_of(u->sets, location_of(u, &whole));
	     mask; mask &= mask - 1) {
		uint32_t set = (uint32_t)__builtin_ctz(mask);

		fr_assert(set < u->sets->n);
		see_in_set(u, &u->named[thread * u->sets->n + set], a, set, PICK_SET);
	}
}

static void see_field(struct work_units *u, const struct fr_unit_access *a)
{
	uint64_t id = fr_fields_object(u->fields, u->m, a->ev);
	struct unit_object *o = u->object + (size_t)u->m->ev[a->ev].thread * OBJECTS, *x = o;

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
	fr_assert(x->last <= (uint64_t)a->ev + 1);
	if (x->id != id)
		end_set(u, &x->unit, OF_FIELDS, PICK_FIELDS);
	x->id = id;
	x->last = (uint64_t)a->ev + 1;
	see_in_set(u, &x->unit, a, OF_FIELDS, PICK_FIELDS);
}

/* ---- the walk ---- */

/* May it touch several variables? Ranges and vectors have no value. */
static bool is_wide(const struct fr_mev *v)
{
	return v->flags & FR_F_RANGE ||
	       (v->flags & FR_F_NOVALUE && !(v->flags & (FR_F_ATOMIC | FR_F_LATE)));
}

/* The bytes of a location at which an access begins, or after which one ends; wide ones do not
   count. */
static uint8_t borders_of(const struct fr_model *m, uint32_t loc)
{
	const struct fr_mclass *k = &m->cls[FR_C_LOC];
	unsigned borders = 1;

	for (uint32_t i = k->first[loc]; i < k->first[loc + 1]; i++) {
		const struct fr_mev *v = &m->ev[k->list[i]];

		if (v->mask && !is_wide(v))
			borders |= (v->mask & -v->mask) | 2u << (31 - __builtin_clz(v->mask));
	}
	return (uint8_t)borders;
}

typedef void (*see_fn)(struct work_units *u, struct fr_joined *j, const struct fr_unit_access *a);

/* The model does not know the elements of a wide access: a granule may be several variables. Other
   accesses show them. */
static void see_pieces(struct work_units *u, struct fr_joined *j, see_fn see, fr_ev e,
		       uint32_t span)
{
	const struct fr_mev *v = &u->m->ev[e];
	uint8_t *borders = &u->borders[v->obj];
	struct fr_mev piece = *v;

	if (!*borders)
		*borders = borders_of(u->m, v->obj);
	for (unsigned from = 0, to; from < 8; from = to) {
		struct fr_unit_access a;

		for (to = from + 1; to < 8 && !(*borders >> to & 1);)
			to++;
		piece.mask = (uint8_t)(v->mask & (0xffu << from) & (0xffu >> (8 - to)));
		a = access_of(&piece, e, span);
		if (piece.mask)
			see(u, j, &a);
	}
}

/* Calls `see` for each access to a location that matters, in recorded order. */
static void walk(struct work_units *u, struct fr_joined *j, see_fn see)
{
	const struct fr_mclass *k = &u->m->cls[FR_C_LOC];
	FR_CLEANUP(fr_freep) uint32_t *next = fr_xmalloc(((size_t)k->n + 1) * sizeof(*next));

	memcpy(next, u->r->first, k->n * sizeof(*next));
	for (fr_ev e = 0; e < u->m->n; e++) {
		const struct fr_mev *v = &u->m->ev[e];
		struct fr_unit_access a;

		if (!fr_is_access(v) || next[v->obj] == UINT32_MAX)
			continue;
		a = access_of(v, e, u->r->of[next[v->obj]++]);
		if (fr_regions_ignore(u->r, v))
			continue;
		if (is_wide(v))
			see_pieces(u, j, see, e, a.span);
		else
			see(u, j, &a);
	}
}

static void see_first(struct work_units *u, struct fr_joined *j, const struct fr_unit_access *a)
{
	see_access(u, a);
	fr_joined_read(j, a);
}

static void note(void *arg, const struct fr_unit_pair *p)
{
	fr_joined_note(arg, p);
}

/* The first walk: finds the joined locations. */
static void find_joined(const struct work_units *all, struct fr_joined *j)
{
	struct work_units u = {
	    .r = all->r, .m = all->m, .borders = all->borders, .see = note, .arg = j};

	u.unit = fr_xcalloc((size_t)u.m->nthreads + 1, sizeof(*u.unit));
	walk(&u, j, see_first);
	for (uint32_t t = 0; t < u.m->nthreads; t++)
		end_unit(&u, &u.unit[t]);
	fr_joined_end(j, false);
	free(u.unit);
	fr_map_free(&u.seen);
}

/* j: with joined locations. */
static void see_all(struct work_units *u, struct fr_joined *j, const struct fr_unit_access *a)
{
	see_access(u, a);
	if (u->sets->n)
		see_sets(u, a);
	if (u->fields)
		see_field(u, a);
	if (j->pair.n)
		fr_joined_see(j, a);
}

static void end_all(struct work_units *u, uint32_t t)
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
	struct work_units u = {
	    .r = r, .m = m, .sets = sets, .fields = fields, .see = see, .arg = arg};
	struct fr_joined j;

	u.borders = fr_xcalloc((size_t)m->cls[FR_C_LOC].n + 1, sizeof(*u.borders));
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
	free(u.borders);
	fr_map_free(&u.seen);
	return u.cut_off;
}
