/*
 * Joined locations: see joined_locations.h. Each thread has a window: for each joined location that
 * it has accessed lately, the last access, or the last write if there is one. A new access makes a
 * pair with each of them. The window is emptied where regions end. It is also emptied if a function
 * accesses a location of the window above its last access in the text: a loop, or another call.
 *
 * Invariant: the window has at most one access for each location, oldest first.
 * Cost:      the window is short, and pairs like many earlier ones are examined only now and then.
 */
#include "generate/joined_locations.h"
#include <string.h>

#define WINDOW 16
#define PAIRS_MAX 100000
#define SEEN_MAX 100000

struct fr_joined_thread {
	struct fr_unit_access now;  /* the last access, which may gain parts; what == 0: none */
	struct fr_unit_access last; /* the one before; likewise */
	struct fr_unit_access window[WINDOW];
	uint32_t n;
};

void fr_joined_init(struct fr_joined *j, struct fr_regions *r, struct fr_fields *fields,
		    void (*see)(void *arg, const struct fr_unit_pair *p), void *arg)
{
	*j = (struct fr_joined){.r = r, .fields = fields, .see = see, .arg = arg};
	j->thread = fr_xcalloc((size_t)r->m->nthreads + 1, sizeof(*j->thread));
}

void fr_joined_free(struct fr_joined *j)
{
	fr_map_free(&j->pair);
	fr_map_free(&j->location);
	fr_map_free(&j->seen);
	free(j->thread);
}

static uint64_t pair_key(uint64_t x, uint64_t y)
{
	return fr_mix(fr_min(x, y), fr_max(x, y)) >> 1;
}

static void join(struct fr_joined *j, uint64_t x, uint64_t y)
{
	fr_assert(x != y);
	if (j->pair.n >= PAIRS_MAX) {
		j->cut_off++;
		return;
	}
	*fr_map_put(&j->pair, pair_key(x, y)) = 1;
	*fr_map_put(&j->location, x) = 1;
	*fr_map_put(&j->location, y) = 1;
}

void fr_joined_note(struct fr_joined *j, const struct fr_unit_pair *p)
{
	if (fr_region_is_bracketed(p->region))
		join(j, p->location[0], p->location[1]);
}

/* ---- two accesses ---- */

static bool is_atomic(const struct fr_joined *j, const struct fr_unit_access *a)
{
	return j->r->m->ev[a->ev].flags & FR_F_ATOMIC;
}

/* Are the two different steps and locations, in no region together, and no fields of one object?
   Other pairs are for those. */
static bool apart(const struct fr_joined *j, const struct fr_unit_access *a,
		  const struct fr_unit_access *b)
{
	const struct fr_model *m = j->r->m;

	return fr_unit_location(m, a) != fr_unit_location(m, b) &&
	       fr_span_region(&j->r->span.v[b->span], a->ev) == FR_REGION_NEAR &&
	       !fr_unit_steps_meet(m, a->ev, b->ev) &&
	       !fr_fields_together(j->fields, m, a->ev, b->ev);
}

/* Does one directly read two atomic locations? */
static bool reads_both(const struct fr_joined *j, const struct fr_unit_access *a,
		       const struct fr_unit_access *b)
{
	return a->what && !(a->what >> 8) && !(b->what >> 8) && is_atomic(j, a) &&
	       is_atomic(j, b) && apart(j, a, b);
}

static bool share_lock(const struct fr_regions *r, uint32_t x, uint32_t y)
{
	const struct fr_span *a = &r->span.v[x], *b = &r->span.v[y];

	for (uint32_t i = 0; i < a->nheld; i++)
		for (uint32_t k = 0; k < b->nheld; k++)
			if (r->held.v[a->held + i].lock == r->held.v[b->held + k].lock)
				return true;
	return false;
}

/* Does one function, or one call of a function, contain both? Without locks, the call stacks are
   not known: then functions that access one location each belong together. */
static bool in_one_call(struct fr_joined *j, const struct fr_unit_access *a,
			const struct fr_unit_access *b)
{
	uint32_t sa = j->r->m->ev[a->ev].site, sb = j->r->m->ev[b->ev].site;
	struct fr_code x = fr_regions_code(j->r, sa), y = fr_regions_code(j->r, sb);

	if (fr_code_follows(&x, &y))
		return true;
	if (!j->r->span.v[a->span].nheld || !j->r->span.v[b->span].nheld)
		return fr_regions_position(j->r, sa) == fr_regions_position(j->r, sb) ||
		       !fr_code_same_function(&x, &y);
	return fr_regions_one_call(j->r, a->span, b->span);
}

static bool is_unit(struct fr_joined *j, const struct fr_unit_access *a,
		    const struct fr_unit_access *b)
{
	const struct fr_span *span = j->r->span.v;

	return (is_atomic(j, a) || span[a->span].nheld) &&
	       (is_atomic(j, b) || span[b->span].nheld) && apart(j, a, b) &&
	       !share_lock(j->r, a->span, b->span) && in_one_call(j, a, b);
}

/* Is it time to examine another pair like it? */
static bool is_wanted(struct fr_joined *j, const struct fr_unit_access *a,
		      const struct fr_unit_access *b)
{
	const struct fr_mev *x = &j->r->m->ev[a->ev], *y = &j->r->m->ev[b->ev];
	uint64_t key = fr_mix((uint64_t)x->site << 32 | y->site, x->thread) >> 1;

	if (j->seen.n >= SEEN_MAX && !fr_map_get(&j->seen, key)) {
		j->cut_off++;
		return false;
	}
	return fr_sample_now((*fr_map_put(&j->seen, key))++);
}

static void make_pair(struct fr_joined *j, const struct fr_unit_access *a,
		      const struct fr_unit_access *b, bool joins)
{
	struct fr_unit_pair p = {
	    .location = {fr_unit_location(j->r->m, a), fr_unit_location(j->r->m, b)},
	    .a = *a,
	    .b = *b,
	    .region = FR_REGION_JOINED,
	    .joins = joins};

	fr_assert(p.location[0] != p.location[1]);
	fr_assert(j->r->m->ev[a->ev].thread == j->r->m->ev[b->ev].thread && a->ev < b->ev);
	j->see(j->arg, &p);
}

/* ---- the window ---- */

/* Returns the index of the location in the window; t->n: it is not there. */
static uint32_t find(const struct fr_joined *j, const struct fr_joined_thread *t, uint64_t location)
{
	uint32_t i = 0;

	while (i < t->n && fr_unit_location(j->r->m, &t->window[i]) != location)
		i++;
	return i;
}

/* Does a unit end before b: where regions end, or at a repetition? The accesses of one step, which
   may have one site, are none. */
static bool ends_unit(struct fr_joined *j, const struct fr_joined_thread *t,
		      const struct fr_unit_access *b)
{
	const struct fr_unit_access *l = &t->window[t->n - 1];
	struct fr_code x = fr_regions_code(j->r, j->r->m->ev[l->ev].site);
	struct fr_code y = fr_regions_code(j->r, j->r->m->ev[b->ev].site);

	return l->ev < j->r->span.v[b->span].since ||
	       (fr_head(j->r->m, l->ev) != fr_head(j->r->m, b->ev) &&
		fr_code_same_function(&x, &y) && !fr_code_follows(&x, &y) &&
		find(j, t, fr_unit_location(j->r->m, b)) < t->n - 1);
}

static void keep(struct fr_joined *j, struct fr_joined_thread *t, const struct fr_unit_access *b)
{
	uint32_t i = find(j, t, fr_unit_location(j->r->m, b));

	if (i < t->n && t->window[i].what >> 8 && !(b->what >> 8))
		return;
	if (i == t->n && t->n == WINDOW)
		i = 0;
	fr_assert(i <= t->n && t->n <= WINDOW);
	if (i < t->n) {
		memmove(&t->window[i], &t->window[i + 1], (t->n - i - 1) * sizeof(*t->window));
		t->n--;
	}
	fr_assert(t->n < WINDOW && (!t->n || t->window[t->n - 1].ev <= b->ev)); /* oldest first */
	t->window[t->n++] = *b;
}

static void find_units(struct fr_joined *j, struct fr_joined_thread *t,
		       const struct fr_unit_access *b)
{
	uint64_t location = fr_unit_location(j->r->m, b);

	if (reads_both(j, &t->last, b) && is_wanted(j, &t->last, b))
		make_pair(j, &t->last, b, true);
	if (!fr_map_get(&j->location, location))
		return;
	if (t->n && ends_unit(j, t, b))
		t->n = 0;
	for (uint32_t i = t->n; i-- > 0;) {
		const struct fr_unit_access *a = &t->window[i];
		uint64_t other = fr_unit_location(j->r->m, a);

		if (other != location && fr_map_get(&j->pair, pair_key(other, location)) &&
		    is_wanted(j, a, b) && is_unit(j, a, b))
			make_pair(j, a, b, false);
	}
	keep(j, t, b);
}

/* ---- the walk ---- */

/* Handles the thread's last access, which is now complete. */
static void complete(struct fr_joined *j, struct fr_joined_thread *t, bool seen)
{
	if (!t->now.what)
		return;
	if (seen)
		find_units(j, t, &t->now);
	else if (reads_both(j, &t->last, &t->now))
		join(j, fr_unit_location(j->r->m, &t->last), fr_unit_location(j->r->m, &t->now));
	t->last = t->now;
	t->now.what = 0;
}

static void step(struct fr_joined *j, const struct fr_unit_access *a, bool seen)
{
	const struct fr_model *m = j->r->m;
	struct fr_joined_thread *t = &j->thread[m->ev[a->ev].thread];

	if (t->now.what && m->ev[a->ev].flags & FR_F_PART &&
	    fr_head(m, t->now.ev) == fr_head(m, a->ev) &&
	    fr_unit_location(m, &t->now) == fr_unit_location(m, a)) {
		t->now.what |= a->what;
		return;
	}
	complete(j, t, seen);
	fr_assert(!t->last.what || t->last.ev <= a->ev);
	t->now = *a;
}

void fr_joined_read(struct fr_joined *j, const struct fr_unit_access *a)
{
	step(j, a, false);
}

void fr_joined_see(struct fr_joined *j, const struct fr_unit_access *a)
{
	step(j, a, true);
}

void fr_joined_end(struct fr_joined *j, bool seen)
{
	for (uint32_t i = 0; i < j->r->m->nthreads; i++) {
		complete(j, &j->thread[i], seen);
		j->thread[i] = (struct fr_joined_thread){0};
	}
}
