/*
 * Takes one step of a thread in the recorded order, such that every read returns the value that the
 * writes before it left.
 *
 * The loader simulates the memory of shared granules. Accesses have no stamps: those ahead of a
 * thread up to its next stamp may happen at any time now. Before a read whose value memory does not
 * hold, a thread with a write of that value ahead runs up to that write. Before a write, threads
 * with reads of the overwritten value ahead run up to the last of them. If nothing explains a read,
 * its write was not recorded or was taken too early; the loader then inserts one (FR_F_SYNTH). It
 * inserts the write as soon as no other can come: a waiting thread holds up the others.
 *
 * Bounds:    a limited number of list entries (load_order_ahead.c), and FR_ORDER_DEPTH threads
 *            waiting for each other. A thread that could not continue is not asked again for the
 *            same step. So the cost of a step is bounded.
 * Not found: orders in which a step must come earlier than any rule above requires. No step is ever
 *            taken back; each is explained when it is taken.
 */
#include "model/load_order_step.h"
#include "model/load_order_open.h"

/* Returns the mask of the bytes that are known and zero. */
static uint32_t zero_bytes(const struct fr_gran *g)
{
	uint32_t mask = 0;

	for (unsigned k = 0; k < 8; k++)
		if (g->known >> k & 1 && !(uint8_t)(g->value >> (8 * k)))
			mask |= 1u << k;
	return mask;
}

/* Makes the location of a granule that has none yet in this lifetime. */
static __attribute__((noinline)) void new_location(struct fr_load *l, const struct fr_lthread *t,
						   struct fr_gran *g)
{
	const struct fr_freed *ended = g->heap & FR_ENDED ? &l->ended.v[g->heap & ~FR_ENDED] : NULL;
	struct fr_locinfo info = {.thread = (uint16_t)(t->index + 1)};

	fr_assert(g->loc == FR_NONE && l->loc.n == l->b->obj[FR_C_LOC].n);
	g->loc = (uint32_t)l->loc.n;
	if (ended && ended->thread != t->index) { /* a use after free: the model keeps it */
		info.thread = 0;
		info.freed = true;
		fr_vec_push(&l->b->used, ended->obj);
	}
	fr_vec_push(&l->loc, info);
	fr_vec_push(&l->loc_benign, g->benign);
	fr_vec_push(&l->b->obj[FR_C_LOC],
		    ((struct fr_mobj){.addr = g->addr,
				      .count = zero_bytes(g) | (g->from > 1 ? FR_LOC_PARTIAL : 0),
				      .aux = ended ? 0 : g->heap}));
}

/* A write is the first access to these bytes: notes their initial value from the program's file. */
static __attribute__((noinline)) void note_start(struct fr_load *l, const struct fr_gran *g,
						 const struct fr_item *i)
{
	struct fr_locinfo *info = &l->loc.v[g->loc];

	fr_assert(!(i->aux & ~g->given) && !(g->given & ~g->known));
	fr_vec_push(&l->start, ((struct fr_load_start){.value = g->value & spread(i->aux),
						       .granule = i->granule,
						       .loc = g->loc,
						       .next = info->start,
						       .mask = i->aux}));
	info->start = (uint32_t)l->start.n;
}

/* A read of a location with such bytes: notes which initial values it may have seen. */
static __attribute__((noinline)) void ask_start(struct fr_load *l, struct fr_locinfo *info,
						const struct fr_item *i)
{
	bool open = false;

	for (uint32_t n = info->start; n; n = l->start.v[n - 1].next) {
		struct fr_load_start *s = &l->start.v[n - 1];

		fr_assert_slow(info == &l->loc.v[s->loc]);
		s->needed |= has_value(i) && !(i->aux & ~s->mask) &&
			     !((s->value ^ i->value) & spread(i->aux));
		open |= !s->needed;
	}
	if (!open)
		info->start = 0;
}

void fr_step_starts(struct fr_load *l, struct fr_lthread *t, uint64_t hook)
{
	for (size_t k = 0; k < l->put_starts; k++) {
		const struct fr_load_start *s = &l->put_start[k];
		struct fr_gran *g = &l->gran[s->granule];
		struct fr_mev e = {.value = s->value,
				   .flags = FR_F_SYNTH,
				   .thread = (uint16_t)t->index,
				   .op = FR_OP_WRITE,
				   .mask = s->mask};

		fr_assert(s->granule < l->shadow.granules && s->needed);
		if (g->loc == FR_NONE)
			new_location(l, t, g);
		/* several threads touch it, as the previous load showed */
		l->loc.v[g->loc].thread = 0;
		e.obj = g->loc;
		fr_builder_push(l->b, &e, hook);
	}
	l->put_starts = 0;
}

static inline __attribute__((always_inline)) void emit(struct fr_load *l, struct fr_lthread *t,
						       const struct fr_item *i, unsigned op,
						       uint64_t value, unsigned mask,
						       unsigned flags)
{
	struct fr_gran *g = &l->gran[i->granule];
	struct fr_locinfo *info;
	struct fr_mev e = {.value = flags & FR_F_NOVALUE ? 0 : value,
			   .site = i->site,
			   .flags = flags & 0x3ff,
			   .thread = (uint16_t)t->index,
			   .op = op & 0x1f,
			   .origin = i->flags >> 13,
			   .mask = (uint8_t)mask};

	if (__builtin_expect(g->loc == FR_NONE, 0))
		new_location(l, t, g);
	fr_assert_slow(mask && g->loc < l->loc.n && i->granule < l->shadow.granules);
	info = &l->loc.v[g->loc];
	if (__builtin_expect(info->start != 0, 0) && op == FR_OP_READ)
		ask_start(l, info, i);
	if (__builtin_expect(g->given != 0, 0) && op == FR_OP_WRITE && !(flags & FR_F_SYNTH) &&
	    (g->given & mask) == mask && !l->put_start)
		note_start(l, g, i);
	if (info->thread != t->index + 1)
		info->thread = 0;
	info->written |= op == FR_OP_WRITE && !(flags & FR_F_SYNTH);
	e.obj = g->loc;
	fr_builder_push(l->b, &e, i->hook);
}

/* If a read finds another value than memory holds, the loader normally inserts a write. But where
   the value in memory comes only from the program's file, code that is not recorded may have
   written the bytes earlier: the value read then counts as the initial value. */
static void do_read(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i, unsigned part)
{
	struct fr_gran *g = &l->gran[i->granule];
	unsigned preset = 0;

	if (has_value(i)) {
		if (differs(g, i)) {
			unsigned mask = 0;

			for (unsigned k = 0; k < 8; k++)
				if ((i->aux & g->known) >> k & 1 &&
				    (uint8_t)((g->value ^ i->value) >> (8 * k)))
					mask |= 1u << k;
			preset = mask & g->given;
			mask &= ~preset;
			if (mask) {
				l->count[FR_MC_reads_unexplained]++;
				l->doubts += FR_UNEXPLAINED;
				emit(l, t, i, FR_OP_WRITE, i->value & spread(mask), mask,
				     FR_F_SYNTH | part);
				part = FR_F_PART;
			}
		}
		g->value = (g->value & ~spread(i->aux)) | i->value;
		g->known |= i->aux;
		g->given &= (uint8_t)~i->aux;
	}
	if (!has_value(i) && !l->exact)
		l->count[FR_MC_writers_open] += fr_open_read(l, t, i);
	emit(l, t, i, FR_OP_READ, i->value, i->aux, (i->flags & ~FR_F_PART) | part);
	l->loc.v[g->loc].differs |= preset != 0;
}

static void do_write(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i,
		     unsigned part)
{
	struct fr_gran *g = &l->gran[i->granule];
	uint64_t rest = 0;
	unsigned other = 0;

	emit(l, t, i, FR_OP_WRITE, i->value, i->aux, (i->flags & ~FR_F_PART) | part);
	g->written |= i->aux;
	g->given &= (uint8_t)~i->aux;
	fr_open_write(g, t, i->aux);
	if (has_value(i)) {
		g->value = (g->value & ~spread(i->aux)) | i->value;
		g->known |= i->aux;
	} else {
		g->known &= (uint8_t)~i->aux;
	}
	if (__builtin_expect(!(i->flags & FR_ITEM_REST), 1))
		return;
	/* The values that unrecorded writes of the same thread have left in the other bytes. */
	rest = i->ext & ~spread(i->aux);
	for (unsigned k = 0; k < 8; k++)
		if ((g->known & ~i->aux) >> k & 1 && (uint8_t)((g->value ^ rest) >> (8 * k)))
			other |= 1u << k;
	if (other)
		emit(l, t, i, FR_OP_WRITE, rest & spread(other), other, FR_F_SYNTH | FR_F_PART);
	g->value = (g->value & spread(i->aux)) | rest;
	g->known = 0xff;
	g->given = 0;
}

/* Number of items in the step at the head. */
static inline uint64_t step_length(const struct fr_lthread *t)
{
	uint64_t n = 1;

	while (t->head + n < t->tail && (fr_item_at(t, t->head + n)->flags & FR_F_PART))
		n++;
	return n;
}

/* Does another thread have this granule ahead? */
static inline bool contended(const struct fr_load *l, const struct fr_lthread *t,
			     const struct fr_gran *g)
{
	uint32_t n = g->node;

	return n != FR_NONE && (l->node.v[n].thread != t->index || l->node.v[n].next != FR_NONE);
}

/* Is this a read that memory does not explain, or explains only by the initial value? */
static inline bool wants_help(const struct fr_load *l, const struct fr_lthread *t,
			      const struct fr_item *i)
{
	const struct fr_gran *g = &l->gran[i->granule];

	return i->kind == FR_EV_READ && has_value(i) && (differs(g, i) || in_doubt(g, i)) &&
	       contended(l, t, g);
}

/* Can the step at the head happen now? */
static bool ready(const struct fr_load *l, const struct fr_lthread *t, uint64_t n, enum fr_how how)
{
	for (uint64_t k = 0; k < n; k++) {
		const struct fr_item *i = fr_item_at(t, t->head + k);
		const struct fr_gran *g = &l->gran[i->granule];

		if (i->kind == FR_EV_READ && has_value(i) &&
		    (differs(g, i) || fr_ahead_awaited(l, t, g, i)) &&
		    (how == FR_GENTLY || !fr_ahead_lost(l, t, i)))
			return false;
		if (i->kind == FR_EV_WRITE && how == FR_GENTLY && contended(l, t, g) &&
		    fr_ahead_harms(l, t, i))
			return false;
	}
	return true;
}

/* Takes the value of bytes that no thread has written from the read that is about to happen. */
static void learn(struct fr_load *l, const struct fr_lthread *t, const struct fr_item *i,
		  enum fr_how how)
{
	struct fr_gran *g = &l->gran[i->granule];
	unsigned unknown = i->aux & ~g->known;

	bool awaited = unknown && fr_ahead_awaited(l, t, g, i);

	if (unknown && (how == FR_BY_FORCE || !awaited)) {
		l->doubts += awaited;
		g->value = (g->value & ~spread(unknown)) | (i->value & spread(unknown));
		g->known |= (uint8_t)unknown;
		l->changes++;
	}
}

/* Lets other threads go first where that explains this step or saves a value that they need. */
static void prepare(struct fr_load *l, struct fr_lthread *t, uint64_t n, enum fr_how how,
		    unsigned depth)
{
	fr_assert_slow(!t->busy);
	t->busy = true;
	for (unsigned round = 0; round < 2; round++) {
		bool went = false;

		for (uint64_t k = 0; k < n; k++) {
			const struct fr_item *i = fr_item_at(t, t->head + k);

			if (wants_help(l, t, i) && !fr_ask_writer(l, t, i, false, depth)) {
				if (differs(&l->gran[i->granule], i) &&
				    how != FR_GENTLY) /* acts like a write */
					went |= fr_ask_readers(l, t, i, how, depth);
			} else if (how != FR_GENTLY && wants_help(l, t, i)) {
				fr_ask_writer(l, t, i, true, depth);
			}
			if (i->kind == FR_EV_READ && has_value(i))
				learn(l, t, i, how);
		}
		for (uint64_t k = 0; k < n; k++) {
			const struct fr_item *i = fr_item_at(t, t->head + k);

			if (i->kind == FR_EV_WRITE && contended(l, t, &l->gran[i->granule]))
				went |= fr_ask_readers(l, t, i, how, depth);
		}
		if (!went)
			break;
	}
	t->busy = false;
}

/* Does the step concern no other thread, and need no special treatment? True for a read that
   returns the known content of memory, and for any access with a value to a granule that no other
   thread has ahead, except a read of another value. */
static inline bool plain(const struct fr_load *l, const struct fr_lthread *t,
			 const struct fr_item *i, const struct fr_gran *g)
{
	bool same = !((g->value ^ i->value) & spread(i->aux & g->known));

	if ((i->flags & (FR_F_NOVALUE | FR_ITEM_REST)) || t->exited)
		return false;
	if (i->kind == FR_EV_READ && same && !(i->aux & ~g->known))
		return true;
	return (i->kind == FR_EV_WRITE || same) && !contended(l, t, g);
}

/* A plain step: do_read and do_write merged into one, because the processor cannot predict which it
   is. */
static inline void take_plain(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i,
			      struct fr_gran *g)
{
	unsigned write = i->kind == FR_EV_WRITE;
	uint64_t bytes = spread(i->aux);

	_Static_assert(FR_OP_READ == 0 && FR_OP_WRITE == 1, "the operation");
	t->started = true;
	t->hook = i->hook;
	emit(l, t, i, write, i->value, i->aux, i->flags & ~FR_F_PART);
	g->value = (g->value & ~bytes) | i->value;
	g->known |= i->aux;
	g->given &= (uint8_t)~i->aux;
	g->written |= (uint8_t)(i->aux & -write);
	if (l->opaque && write)
		fr_open_write(g, t, i->aux);
	fr_node_pop(l, t, i);
	t->head++;
}

static void take(struct fr_load *l, struct fr_lthread *t, uint64_t n, bool listed)
{
	unsigned part = 0;

	l->changes++;
	t->started = true;
	t->hook = fr_item_at(t, t->head)->hook;
	for (uint64_t k = 0; k < n; k++) {
		const struct fr_item *i = fr_item_at(t, t->head);

		if (__builtin_expect(t->exited, 0))
			; /* the thread has ended */
		else if (i->kind == FR_EV_READ)
			do_read(l, t, i, part);
		else
			do_write(l, t, i, part);
		if (listed)
			fr_node_pop(l, t, i);
		part = FR_F_PART;
		t->head++;
	}
}

/* A thread begins a step on its own, and others may step on its behalf. */
static void begin(struct fr_load *l, bool due)
{
	l->attempt++;
	l->due = due;
}

/* Takes the step at the head, whatever it is. Returns false if it cannot happen in this way. */
static __attribute__((noinline)) bool take_step(struct fr_load *l, struct fr_lthread *t, uint64_t n,
						enum fr_how how, unsigned depth)
{
	if (!depth)
		begin(l, how == FR_BY_FORCE);
	else if (t->failed.attempt == l->attempt && t->failed.head == t->head &&
		 how <= t->failed.how && depth >= t->failed.depth)
		return false;
	fr_assert(n && t->head + n <= t->known); /* the whole step is on the lists */
	prepare(l, t, n, how, depth);
	if (how != FR_BY_FORCE && !ready(l, t, n, how)) {
		t->failed.attempt = l->attempt;
		t->failed.head = t->head;
		t->failed.how = how;
		t->failed.depth = depth;
		return false;
	}
	take(l, t, n, true);
	return true;
}

bool fr_step_until(struct fr_load *l, struct fr_lthread *t, uint64_t to, enum fr_how how,
		   unsigned depth)
{
	fr_assert(!t->busy);
	while (t->head <= to && t->head < t->tail) {
		const struct fr_item *i = fr_item_at(t, t->head);
		struct fr_gran *g = &l->gran[i->granule];
		uint64_t n = step_length(t);

		if (t->head >= t->known) { /* imported: the order is exact */
			take(l, t, n, false);
			continue;
		}
		if (n == 1 && plain(l, t, i, g))
			take_plain(l, t, i, g);
		else if (!take_step(l, t, n, how, depth))
			return false;
		if (t->soft && t->head == t->known) {
			l->r = l->r < 0 ? l->r : fr_order_fill(l, t);
			if (l->r < 0)
				return false;
		}
	}
	return true;
}

bool fr_step_try(struct fr_load *l, struct fr_lthread *t, enum fr_how how)
{
	const struct fr_item *i = fr_item_at(t, t->head);
	const struct fr_gran *g = &l->gran[i->granule];
	uint64_t n = step_length(t);

	fr_assert(t->head < t->stop && !t->busy && how != FR_BY_FORCE);
	begin(l, false);
	if (how == FR_ROUGHLY && n == 1 && i->kind == FR_EV_READ && has_value(i) &&
	    !differs(g, i) && fr_ahead_awaited(l, t, g, i))
		l->doubts++;
	else if (!ready(l, t, n, how))
		return false;
	take(l, t, n, true);
	if (t->soft && t->head == t->known)
		l->r = fr_order_fill(l, t);
	return true;
}

bool fr_step_reads(const struct fr_load *l, const struct fr_lthread *t)
{
	const struct fr_item *i = fr_item_at(t, t->head);

	return i->kind == FR_EV_READ && has_value(i) && step_length(t) == 1 &&
	       !(i->aux & ~l->gran[i->granule].known);
}

/* Memory is about to end. Returns the last access of thread u to the granule that may come before
   that, UINT64_MAX: none. A read of a value that no thread writes saw a value of the allocator. */
static uint64_t last_in_life(const struct fr_load *l, const struct fr_lthread *u,
			     const struct fr_gran *g, const struct fr_node *node)
{
	uint64_t last = UINT64_MAX;
	struct fr_gran then = *g;

	for (uint32_t at = node->first; at != FR_NONE; at = fr_item_at(u, at)->next) {
		const struct fr_item *i = fr_item_at(u, at);

		if (i->kind == FR_EV_READ && has_value(i) && g->known && differs(&then, i) &&
		    fr_ahead_lost(l, u, i))
			break;
		if (i->kind == FR_EV_WRITE) {
			then.value = (then.value & ~spread(i->aux)) | i->value;
			then.known =
			    (uint8_t)(has_value(i) ? then.known | i->aux : then.known & ~i->aux);
		}
		last = whole(u, at);
	}
	return last;
}

void fr_step_settle(struct fr_load *l, struct fr_lthread *t, uint32_t granule)
{
	struct fr_gran *g = &l->gran[granule];
	uint32_t seen = FR_NONE;
	unsigned tries = 0;

	fr_assert(!t->busy);
	begin(l, true);
	t->busy = true;
	for (uint32_t n = g->node; n != FR_NONE && tries < 64;) {
		struct fr_lthread *u = &l->thread[l->node.v[n].thread];
		uint64_t to;

		if (u == t || u->busy || u->index == seen) {
			n = l->node.v[n].next;
			continue;
		}
		tries++;
		l->count[FR_MC_lives_ambiguous]++;
		seen = u->index;
		to = last_in_life(l, u, g, &l->node.v[n]);
		if (to != UINT64_MAX)
			fr_step_until(l, u, to, FR_ROUGHLY, 1);
		n = to != UINT64_MAX ? g->node : l->node.v[n].next;
	}
	t->busy = false;
}
