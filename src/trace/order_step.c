/*
 * One step of a thread in the recorded order: every read returns what the writes before it left.
 *
 * Memory is simulated for the granules of several threads. Accesses have no stamps: those that are
 * ahead of a thread up to its next stamp may happen any time now. Before a read that does not
 * return what memory holds, a thread that has the write ahead is let go up to it; before a write,
 * threads that have reads ahead of what it overwrites are let go up to the last of them. If nothing
 * explains a read its write was not recorded, and is put in (FR_F_SYNTH).
 *
 * Bounds: LOOK entries of a list, DEPTH threads waiting for each other; so the cost of a step is
 * bounded. Nothing is ever taken back: each step that is taken is explained when it is taken. Not
 * found, therefore: orders that need a step which looks needless at first.
 */
#include "trace/load.h"

#define LOOK 64
#define DEPTH 6

/* ---- lists of what is ahead ---- */

static uint32_t new_node(struct fr_load *l)
{
	uint32_t n = l->free_node;

	if (n != FR_NONE) {
		l->free_node = l->node.v[n].next;
		return n;
	}
	fr_vec_push(&l->node, (struct fr_node){0});
	return (uint32_t)l->node.n - 1;
}

void fr_node_add(struct fr_load *l, struct fr_lthread *t, uint64_t place)
{
	struct fr_item *i = fr_item_at(t, place);
	struct fr_gran *g = &l->gran[i->granule];
	uint32_t n;

	i->next = FR_NONE;
	for (n = g->node; n != FR_NONE; n = l->node.v[n].next)
		if (l->node.v[n].thread == t->index) {
			fr_item_at(t, l->node.v[n].last)->next = (uint32_t)place;
			l->node.v[n].last = (uint32_t)place;
			return;
		}
	n = new_node(l);
	l->node.v[n] = (struct fr_node){
	    .next = g->node, .thread = t->index, .first = (uint32_t)place, .last = (uint32_t)place};
	g->node = n;
}

/* The item at the head of the thread is done. */
static inline void node_pop(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i)
{
	uint32_t *link = &l->gran[i->granule].node, n;

	for (; (n = *link) != FR_NONE; link = &l->node.v[n].next) {
		if (l->node.v[n].thread != t->index)
			continue;
		if (i->next != FR_NONE) {
			l->node.v[n].first = i->next;
			return;
		}
		*link = l->node.v[n].next;
		l->node.v[n].next = l->free_node;
		l->free_node = n;
		return;
	}
}

/* The whole place of a node's 32-bit one: it is at or behind the head. */
static inline uint64_t whole(const struct fr_lthread *t, uint32_t place)
{
	return t->head + (uint32_t)(place - (uint32_t)t->head);
}

/* ---- memory ---- */

static inline uint64_t spread(unsigned mask)
{
	uint64_t x = ((mask & 0x7f) * UINT64_C(0x0002040810204081) & UINT64_C(0x0101010101010101)) |
		     (uint64_t)(mask >> 7 & 1) << 56;

	return x * 255;
}

static inline bool has_value(const struct fr_item *i)
{
	return !(i->flags & FR_F_NOVALUE);
}

/* Does memory hold something else than what the read returned? */
static inline bool differs(const struct fr_gran *g, const struct fr_item *i)
{
	uint64_t x = g->value ^ i->value;

	return __builtin_expect(x != 0, 0) && (x & spread(i->aux & g->known)) != 0;
}

/* The first write ahead of a thread that leaves what the read wants where memory differs. */
static uint64_t find_write(const struct fr_load *l, const struct fr_lthread *u, uint32_t node,
			   const struct fr_gran *g, const struct fr_item *read)
{
	uint32_t at = l->node.v[node].first;

	for (unsigned k = 0; k < LOOK && at != FR_NONE; k++) {
		const struct fr_item *w = fr_item_at(u, at);
		unsigned both = w->aux & read->aux;

		if (w->kind == FR_EV_WRITE && both && has_value(w) &&
		    !((w->value ^ read->value) & spread(both)) &&
		    (((g->value ^ read->value) & spread(both & g->known)) || (both & ~g->known)))
			return whole(u, at);
		at = w->next;
	}
	return UINT64_MAX;
}

/* Tries to have memory hold what a read wants by letting another thread write it. */
static void seek(struct fr_load *l, struct fr_lthread *t, const struct fr_item *read, bool rough,
		 unsigned depth)
{
	struct fr_item want = *read;
	struct fr_gran *g = &l->gran[want.granule];
	uint32_t tried[8];
	unsigned tries = 0;

	if (depth >= DEPTH)
		return;
again:
	for (uint32_t n = g->node; n != FR_NONE && tries < fr_array_size(tried);
	     n = l->node.v[n].next) {
		struct fr_lthread *u = &l->thread[l->node.v[n].thread];
		uint64_t place;
		bool seen = false;

		for (unsigned k = 0; k < tries; k++)
			seen |= tried[k] == u->index;
		if (u == t || u->busy || seen)
			continue;
		tried[tries++] = u->index;
		place = find_write(l, u, n, g, &want);
		if (place == UINT64_MAX)
			continue;
		if (fr_step_until(l, u, place, rough ? FR_ROUGHLY : FR_GENTLY, depth + 1) &&
		    !differs(g, &want))
			return;
		goto again; /* the list may have changed */
	}
}

/*
 * A read of bytes that nobody has written in this life: has somebody the value ahead? Then that is
 * where it comes from, rather than from before all writes.
 */
static bool awaited(const struct fr_load *l, const struct fr_lthread *u, const struct fr_gran *g,
		    const struct fr_item *read)
{
	unsigned unknown = read->aux & ~g->known & ~g->written;

	if (__builtin_expect(!unknown, 1))
		return false;
	for (uint32_t n = g->node; n != FR_NONE; n = l->node.v[n].next) {
		const struct fr_lthread *v = &l->thread[l->node.v[n].thread];

		if (v != u && find_write(l, v, n, g, read) != UINT64_MAX)
			return true;
	}
	return false;
}

static uint32_t node_of(const struct fr_load *l, const struct fr_gran *g, uint32_t thread)
{
	uint32_t n = g->node;

	while (n != FR_NONE && l->node.v[n].thread != thread)
		n = l->node.v[n].next;
	return n;
}

/* Will the write, or one that its thread has ahead, explain the read where memory does not? */
static bool explains(const struct fr_load *l, const struct fr_lthread *t, const struct fr_gran *g,
		     const struct fr_item *write, const struct fr_item *read)
{
	struct fr_gran after = *g;
	uint32_t n;

	if (has_value(write) && (write->aux & read->aux)) {
		after.value = (g->value & ~spread(write->aux)) | write->value;
		after.known |= write->aux;
		if (!differs(&after, read))
			return true;
	}
	n = node_of(l, g, t->index);
	return n != FR_NONE && find_write(l, t, n, g, read) != UINT64_MAX;
}

/* Has t ahead, after writes of its own, a read that a write of u up to `to` explains? Then t's come
   first. */
static bool needs(const struct fr_load *l, const struct fr_lthread *t, const struct fr_lthread *u,
		  uint32_t node, const struct fr_gran *g, uint64_t to)
{
	uint32_t mine = node_of(l, g, t->index),
		 at = mine == FR_NONE ? mine : l->node.v[mine].first;
	struct fr_gran then = *g;

	for (unsigned k = 0; k < LOOK && at != FR_NONE; k++) {
		const struct fr_item *i = fr_item_at(t, at);

		if (i->kind == FR_EV_READ && has_value(i) && differs(&then, i))
			return find_write(l, u, node, &then, i) <= to;
		if (has_value(i)) {
			then.value = (then.value & ~spread(i->aux)) | i->value;
			then.known |= i->aux;
		} else if (i->kind == FR_EV_WRITE) {
			then.known &= (uint8_t)~i->aux;
		}
		at = i->next;
	}
	return false;
}

/*
 * How far another thread should go before a write happens: to the last of the reads ahead of it
 * that want what memory holds and would not find it any more; or, if it has a read ahead that the
 * write explains and that comes after a write of its own, to what it does before that read.
 */
static uint64_t last_reader(const struct fr_load *l, const struct fr_lthread *t,
			    const struct fr_lthread *u, uint32_t node, const struct fr_gran *g,
			    const struct fr_item *write, bool writes)
{
	struct fr_gran then = *g;
	uint64_t found = UINT64_MAX;
	uint32_t at = l->node.v[node].first, before = at;
	bool own = false;

	for (unsigned k = 0; k < LOOK && at != FR_NONE; k++) {
		const struct fr_item *i = fr_item_at(u, at);
		unsigned both = i->aux & write->aux;

		if (i->kind == FR_EV_WRITE) {
			own |= both != 0;
			then.written |= i->aux;
			then.known &= (uint8_t)~i->aux;
		} else if (has_value(i)) {
			if (differs(&then, i) || awaited(l, u, &then, i))
				return writes && own && explains(l, t, &then, write, i) &&
					       !needs(l, t, u, node, g, whole(u, before))
					   ? whole(u, before)
					   : found;
			if (!own && both &&
			    (!has_value(write) || ((i->value ^ write->value) & spread(both))))
				found = whole(u, at);
		}
		if (has_value(i)) {
			then.value = (then.value & ~spread(i->aux)) | i->value;
			then.known |= i->aux;
		}
		before = at;
		at = i->next;
	}
	return found;
}

/* Would the write take away from somebody what he has yet to read? */
static bool harms(const struct fr_load *l, const struct fr_lthread *t, const struct fr_item *write)
{
	const struct fr_gran *g = &l->gran[write->granule];

	for (uint32_t n = g->node; n != FR_NONE; n = l->node.v[n].next) {
		const struct fr_lthread *u = &l->thread[l->node.v[n].thread];

		if (u != t && last_reader(l, t, u, n, g, write, false) != UINT64_MAX)
			return true;
	}
	return false;
}

/* Lets readers of what is about to be overwritten go first. True if anybody went. */
static bool yield(struct fr_load *l, struct fr_lthread *t, const struct fr_item *write,
		  unsigned depth)
{
	struct fr_item w = *write;
	struct fr_gran *g = &l->gran[w.granule];
	uint32_t stuck[8];
	unsigned n_stuck = 0;
	bool went = false;

	if (depth >= DEPTH)
		return false;
again:
	for (uint32_t n = g->node; n != FR_NONE && n_stuck < fr_array_size(stuck);
	     n = l->node.v[n].next) {
		struct fr_lthread *u = &l->thread[l->node.v[n].thread];
		uint64_t place;
		bool seen = false;

		for (unsigned k = 0; k < n_stuck; k++)
			seen |= stuck[k] == u->index;
		if (u == t || u->busy || seen)
			continue;
		place = last_reader(l, t, u, n, g, &w, true);
		if (place == UINT64_MAX) {
			stuck[n_stuck++] = u->index;
			continue;
		}
		if (fr_step_until(l, u, place, FR_GENTLY, depth + 1))
			went = true;
		else
			stuck[n_stuck++] = u->index;
		goto again;
	}
	return went;
}

/* ---- the step ---- */

static inline void emit(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i,
			unsigned op, uint64_t value, unsigned mask, unsigned flags)
{
	struct fr_gran *g = &l->gran[i->granule];
	struct fr_locinfo *info;
	struct fr_mev e = {.value = flags & FR_F_NOVALUE ? 0 : value,
			   .site = i->site,
			   .flags = flags & 0x3ff,
			   .thread = (uint16_t)t->index,
			   .op = (uint8_t)op,
			   .mask = (uint8_t)mask};

	if (g->loc == FR_NONE) {
		g->loc = (uint32_t)l->loc.n;
		fr_vec_push(&l->loc, (struct fr_locinfo){.thread = (uint16_t)(t->index + 1)});
		fr_vec_push(&l->loc_benign, g->benign);
		fr_vec_push(&l->b->obj[FR_C_LOC],
			    ((struct fr_mobj){.addr = g->addr, .aux = g->heap}));
	}
	info = &l->loc.v[g->loc];
	if (info->thread != t->index + 1)
		info->thread = 0;
	info->written |= op == FR_OP_WRITE && !(flags & FR_F_SYNTH);
	e.obj = g->loc;
	fr_builder_push(l->b, &e, i->idx);
}

static void do_read(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i, unsigned part)
{
	struct fr_gran *g = &l->gran[i->granule];

	if (has_value(i)) {
		if (differs(g, i)) {
			unsigned mask = 0;

			for (unsigned k = 0; k < 8; k++)
				if ((i->aux & g->known) >> k & 1 &&
				    (uint8_t)((g->value ^ i->value) >> (8 * k)))
					mask |= 1u << k;
			l->count[FR_MC_reads_unexplained]++;
			emit(l, t, i, FR_OP_WRITE, i->value & spread(mask), mask,
			     FR_F_SYNTH | part);
			part = FR_F_PART;
		}
		g->value = (g->value & ~spread(i->aux)) | i->value;
		g->known |= i->aux;
	}
	emit(l, t, i, FR_OP_READ, i->value, i->aux, (i->flags & ~FR_F_PART) | part);
}

static void do_write(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i,
		     unsigned part)
{
	struct fr_gran *g = &l->gran[i->granule];
	uint64_t rest = 0;
	unsigned other = 0;

	emit(l, t, i, FR_OP_WRITE, i->value, i->aux, (i->flags & ~FR_F_PART) | part);
	g->written |= i->aux;
	if (has_value(i)) {
		g->value = (g->value & ~spread(i->aux)) | i->value;
		g->known |= i->aux;
	} else {
		g->known &= (uint8_t)~i->aux;
	}
	if (__builtin_expect(!(i->flags & FR_ITEM_REST), 1))
		return;
	/* What the thread's own writes that were not recorded have left in the other bytes. */
	rest = i->ext & ~spread(i->aux);
	for (unsigned k = 0; k < 8; k++)
		if ((g->known & ~i->aux) >> k & 1 && (uint8_t)((g->value ^ rest) >> (8 * k)))
			other |= 1u << k;
	if (other)
		emit(l, t, i, FR_OP_WRITE, rest & spread(other), other, FR_F_SYNTH | FR_F_PART);
	g->value = (g->value & spread(i->aux)) | rest;
	g->known = 0xff;
}

/* Number of items of the step at the head. */
static inline uint64_t step_length(const struct fr_lthread *t)
{
	uint64_t n = 1;

	while (t->head + n < t->tail && (fr_item_at(t, t->head + n)->flags & FR_F_PART))
		n++;
	return n;
}

/* Is there somebody else who has this granule ahead? */
static inline bool contended(const struct fr_load *l, const struct fr_lthread *t,
			     const struct fr_gran *g)
{
	uint32_t n = g->node;

	return n != FR_NONE && (l->node.v[n].thread != t->index || l->node.v[n].next != FR_NONE);
}

/* A read that memory does not explain, or explains only by what was there before all writes. */
static inline bool wants_help(const struct fr_load *l, const struct fr_lthread *t,
			      const struct fr_item *i)
{
	const struct fr_gran *g = &l->gran[i->granule];

	return i->kind == FR_EV_READ && has_value(i) &&
	       (differs(g, i) || (i->aux & ~g->known & ~g->written)) && contended(l, t, g);
}

/* Can the step at the head be taken now? */
static bool ready(const struct fr_load *l, const struct fr_lthread *t, uint64_t n, enum fr_how how)
{
	for (uint64_t k = 0; k < n; k++) {
		const struct fr_item *i = fr_item_at(t, t->head + k);
		const struct fr_gran *g = &l->gran[i->granule];

		if (i->kind == FR_EV_READ && has_value(i) && (differs(g, i) || awaited(l, t, g, i)))
			return false;
		if (i->kind == FR_EV_WRITE && how == FR_GENTLY && contended(l, t, g) &&
		    harms(l, t, i))
			return false;
	}
	return true;
}

/* What a read that is about to happen tells of bytes that nobody has written. */
static void learn(struct fr_load *l, const struct fr_lthread *t, const struct fr_item *i,
		  enum fr_how how)
{
	struct fr_gran *g = &l->gran[i->granule];
	unsigned unknown = i->aux & ~g->known;

	if (unknown && (how == FR_BY_FORCE || !awaited(l, t, g, i))) {
		g->value = (g->value & ~spread(unknown)) | (i->value & spread(unknown));
		g->known |= (uint8_t)unknown;
	}
}

/* Lets others go first where that helps the step at the head, or spares them. */
static void prepare(struct fr_load *l, struct fr_lthread *t, uint64_t n, enum fr_how how,
		    unsigned depth)
{
	t->busy = true;
	for (unsigned round = 0; round < 2; round++) {
		bool went = false;

		for (uint64_t k = 0; k < n; k++) {
			const struct fr_item *i = fr_item_at(t, t->head + k);

			if (wants_help(l, t, i))
				seek(l, t, i, false, depth);
			if (how != FR_GENTLY && wants_help(l, t, i))
				seek(l, t, i, true, depth);
			if (i->kind == FR_EV_READ && has_value(i))
				learn(l, t, i, how);
		}
		for (uint64_t k = 0; k < n; k++) {
			const struct fr_item *i = fr_item_at(t, t->head + k);

			if (i->kind == FR_EV_WRITE && contended(l, t, &l->gran[i->granule]))
				went |= yield(l, t, i, depth);
		}
		if (!went)
			break;
	}
	t->busy = false;
}

/* Is there anything about the step that others could have to do with? */
static inline bool plain(const struct fr_load *l, const struct fr_lthread *t, uint64_t n)
{
	const struct fr_item *i = fr_item_at(t, t->head);
	const struct fr_gran *g = &l->gran[i->granule];

	return n == 1 && !contended(l, t, g) &&
	       (i->kind == FR_EV_WRITE || !has_value(i) || !differs(g, i));
}

static void take(struct fr_load *l, struct fr_lthread *t, uint64_t n, bool listed)
{
	unsigned part = 0;

	t->started = true;
	t->idx = fr_item_at(t, t->head)->idx;
	for (uint64_t k = 0; k < n; k++) {
		const struct fr_item *i = fr_item_at(t, t->head);

		if (__builtin_expect(t->exited, 0))
			; /* nothing comes after the end */
		else if (i->kind == FR_EV_READ)
			do_read(l, t, i, part);
		else
			do_write(l, t, i, part);
		if (listed)
			node_pop(l, t, i);
		part = FR_F_PART;
		t->head++;
	}
}

bool fr_step_until(struct fr_load *l, struct fr_lthread *t, uint64_t to, enum fr_how how,
		   unsigned depth)
{
	while (t->head <= to && t->head < t->tail) {
		bool listed = t->head < t->known;
		uint64_t n = step_length(t);

		if (!listed) { /* imported: the place is exact */
			take(l, t, n, false);
			continue;
		}
		if (!plain(l, t, n)) {
			prepare(l, t, n, how, depth);
			if (how != FR_BY_FORCE && !ready(l, t, n, how))
				return false;
		}
		take(l, t, n, true);
		if (t->soft && t->head == t->known) {
			l->r = l->r < 0 ? l->r : fr_order_look(l, t);
			if (l->r < 0)
				return false;
		}
	}
	return true;
}

void fr_step_settle(struct fr_load *l, struct fr_lthread *t, uint32_t granule)
{
	struct fr_gran *g = &l->gran[granule];
	uint32_t seen = FR_NONE;
	unsigned tries = 0;

	t->busy = true;
	for (uint32_t n = g->node; n != FR_NONE && tries < 64;) {
		struct fr_lthread *u = &l->thread[l->node.v[n].thread];

		if (u == t || u->busy || u->index == seen) {
			n = l->node.v[n].next;
			continue;
		}
		tries++;
		l->count[FR_MC_lives_ambiguous]++;
		seen = u->index;
		fr_step_until(l, u, whole(u, l->node.v[n].last), FR_ROUGHLY, 1);
		n = g->node;
	}
	t->busy = false;
}
