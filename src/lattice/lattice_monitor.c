/*
 * Monitors: the states that the automaton can be in at a cut.
 *
 * A letter depends on the names that the pattern gives to threads, on regions and on the || of a
 * pattern (spec/spec_auto.h). A monitor decides about them when it reads an event: a thread gets a
 * free name or none, and keeps that; an event opens a region or does not. So one monitor becomes
 * several, one for each letter that the event can be. States from which no violation can be reached
 * are dropped.
 *
 * ||:  its events were next in their threads at one time. A lane whose next step has an item stays
 *      there until it takes that step. So it is enough to note, at the first event of the ||, the
 *      lanes whose next steps have items.
 */
#include "base/assert.h"
#include "base/hash.h"
#include "lattice/lattice_internal.h"
#include <string.h>

void fr_monitors_init(struct fr_monitors *k, const struct fr_scope *s)
{
	uint32_t with = 0;

	*k = (struct fr_monitors){.a = s->q->a, .s = s};
	FR_VEC_FOREACH (l, &s->lane)
		with += l->items > 0;
	fr_assert(with && with <= s->m->nthreads && s->lane.n <= FR_LANES);
	k->outside = s->m->nthreads - with;
	fr_vec_push(&k->context, ((struct fr_monitor_context){0}));
	fr_vec_push(&k->same, 0);
	*fr_map_put(&k->index,
		    fr_hash_bytes(FR_HASH_START, k->context.v, sizeof(*k->context.v)) >> 1) = 1;
}

void fr_monitors_free(struct fr_monitors *k)
{
	fr_vec_free(&k->context);
	fr_vec_free(&k->same);
	fr_map_free(&k->index);
}

static uint32_t intern(struct fr_monitors *k, const struct fr_monitor_context *c)
{
	uint64_t *at = fr_map_put(&k->index, fr_hash_bytes(FR_HASH_START, c, sizeof(*c)) >> 1);

	fr_assert_slow(k->same.n == k->context.n && *at <= k->context.n);
	for (uint64_t i = *at; i; i = k->same.v[i - 1])
		if (!memcmp(&k->context.v[i - 1], c, sizeof(*c)))
			return (uint32_t)i - 1;
	fr_vec_push(&k->context, *c);
	fr_vec_push(&k->same, (uint32_t)*at);
	*at = k->context.n;
	return (uint32_t)k->context.n - 1;
}

struct reader {
	struct fr_monitors *k;
	uint32_t lane, first, n;
	bool pending;
	uint64_t waiting;
	fr_readings *ret;
};

/* Changes the context as the mark asks. False: the event cannot have the mark. */
static bool apply_mark(const struct reader *r, const struct fr_mark_set *m, uint32_t item,
		       struct fr_monitor_context *c)
{
	const struct fr_lattice_item *i = &r->k->s->q->item[item];
	uint64_t bit = UINT64_C(1) << (r->lane % 64);

	fr_assert_slow(m->group == FR_NO_NAME || r->k->s->lane.n <= 64); /* bits of `waiting` */
	if (m->closes != FR_NO_NAME) {
		if (c->closes[m->closes] != item + 1)
			return false;
		c->closes[m->closes] = FR_REGION_CLOSED;
	}
	if (m->opens != FR_NO_NAME) {
		if (c->closes[m->opens] || !i->partner)
			return false;
		c->closes[m->opens] = i->partner;
	}
	if (m->group == FR_NO_NAME) {
		c->group = 0;
		c->waiting = 0;
	} else if (c->group != m->group + 1) {
		c->group = m->group + 1;
		c->waiting = r->waiting & ~bit;
	} else if (c->waiting & bit) {
		c->waiting &= ~bit;
	} else {
		return false;
	}
	return true;
}

static void read_from(const struct reader *r, uint32_t at, uint32_t state, uint32_t context,
		      uint32_t group);

/* Reads the item with one name of its thread: FR_NO_NAME for none. */
static void read_as(const struct reader *r, uint32_t at, uint32_t state, uint32_t name,
		    const struct fr_monitor_context *named)
{
	const struct fr_auto *a = r->k->a;
	uint32_t item = r->k->s->by_lane[r->first + at];
	const struct fr_lattice_item *i = &r->k->s->q->item[item];
	unsigned op = r->k->s->m->ev[i->ev].op;
	bool acquires = op == FR_OP_ACQUIRE || op == FR_OP_ACQUIRE_SHARED;

	for (uint32_t mark = 0; mark < a->mark.n; mark++) {
		uint32_t letter = fr_auto_letter(a, i->event, name, mark), to;
		struct fr_monitor_context c = *named;

		if (letter == FR_NO_NAME ||
		    (r->pending && acquires && a->mark.v[mark].group == FR_NO_NAME))
			continue;
		to = fr_dfa_step(&a->dfa, state, letter);
		if (a->live[to] && apply_mark(r, &a->mark.v[mark], item, &c))
			read_from(r, at + 1, to, intern(r->k, &c), a->mark.v[mark].group);
	}
}

static void read_from(const struct reader *r, uint32_t at, uint32_t state, uint32_t context,
		      uint32_t group)
{
	uint32_t names = (uint32_t)r->k->a->property->thread.n, name;
	uint64_t *word, bit = UINT64_C(1) << (r->lane % 64);
	struct fr_monitor_context c = r->k->context.v[context];

	if (at == r->n || r->k->a->bad[state]) {
		fr_vec_push(r->ret, ((struct fr_reading){state, context, group}));
		return;
	}
	for (name = 0; name < names && c.named[name] != r->lane + 1; name++)
		;
	word = &c.nameless[r->lane / 64];
	if (name < names || *word & bit || !names) {
		read_as(r, at, state, name < names ? name : FR_NO_NAME, &c);
		return;
	}
	for (name = 0; name < names; name++)
		if (!c.named[name]) {
			c.named[name] = r->lane + 1;
			read_as(r, at, state, name, &c);
			c.named[name] = 0;
		}
	*word |= bit;
	read_as(r, at, state, FR_NO_NAME, &c);
}

/* Can the names that are left be given to threads that have not been read? */
static bool can_name(const struct fr_monitors *k, uint32_t context)
{
	const struct fr_monitor_context *c = &k->context.v[context];
	uint32_t left = 0, threads = k->outside;

	for (size_t i = 0; i < k->a->property->thread.n; i++)
		left += !c->named[i];
	for (uint32_t i = 0; left && i < k->s->lane.n; i++) {
		bool taken = c->nameless[i / 64] >> (i % 64) & 1;

		for (size_t n = 0; n < k->a->property->thread.n; n++)
			taken |= c->named[n] == i + 1;
		threads += !taken && k->s->lane.v[i].items;
	}
	return left <= threads;
}

void fr_monitors_read(struct fr_monitors *k, uint32_t state, uint32_t context, uint32_t lane,
		      uint32_t first, uint32_t n, bool pending, uint64_t waiting, fr_readings *ret)
{
	struct reader r = {k, lane, first, n, pending, waiting, ret};
	size_t from = ret->n, to = from;

	fr_assert_slow(state != FR_IDLE && lane < FR_LANES);
	read_from(&r, 0, state, context, FR_NO_NAME);
	for (size_t i = from; i < ret->n; i++)
		if (can_name(k, ret->v[i].context))
			ret->v[to++] = ret->v[i];
	ret->n = to;
}
