/*
 * Locks made of atomic accesses: see atomic_lock.h. Each candidate word is followed along the
 * recorded order with its owner. If an access does not fit, the word is no lock, and its events
 * stay as they are. At the end the model is built again with the changed events.
 *
 * Invariant: a step is changed or left out as a whole. In the recorded order, ACQUIRE happens while
 *            nobody holds the lock, and ACQUIRE_FAILED while another thread does.
 */
#include "model/atomic_lock.h"
#include "model/atomic_lock_internal.h"
#include "model/builder_internal.h"
#include <string.h>

#define LOCKS_MAX (UINT32_C(1) << (32 - FR_AC_BITS))

/* The value as a number. */
static uint64_t value(const struct atomic_lock_find *f, fr_ev e)
{
	const struct fr_mev *v = &f->m->ev[e];

	fr_assert_slow(v->mask);
	return (v->value & fr_mask_bytes(v->mask)) >> (8 * (unsigned)__builtin_ctz(v->mask));
}

static bool is_of(const struct atomic_lock_find *f, fr_ev e, const struct lock_word *w)
{
	const struct fr_mev *v = &f->m->ev[e];

	return fr_is_access(v) && v->obj == w->loc && v->mask == w->mask;
}

static bool is_part(const struct atomic_lock_find *f, fr_ev e)
{
	return e < f->m->n && f->m->ev[e].flags & FR_F_PART;
}

bool fr_atomic_is_update(const struct atomic_lock_find *f, fr_ev e)
{
	const struct fr_mev *v = &f->m->ev[e];
	unsigned origin = v->origin;

	return (origin == FR_ORIGIN_RMW || origin == FR_ORIGIN_CAS) && v->op == FR_OP_READ &&
	       is_part(f, e + 1) && f->m->ev[e + 1].op == FR_OP_WRITE &&
	       f->m->ev[e + 1].obj == v->obj && f->m->ev[e + 1].mask == v->mask;
}

/* Is the step one access of this word, with a known value? */
static bool is_plain(const struct atomic_lock_find *f, fr_ev e, const struct lock_word *w)
{
	const unsigned odd = FR_F_NOVALUE | FR_F_RANGE | FR_F_SYNTH | FR_F_LATE | FR_F_PART;
	unsigned n = fr_atomic_is_update(f, e) ? 2 : 1;

	return is_of(f, e, w) && !(f->m->ev[e].flags & odd) && !is_part(f, e + n) &&
	       !(f->m->ev[e].origin & FR_ORIGIN_SPLIT) &&
	       (n == 1 || !(f->m->ev[e + 1].flags & FR_F_NOVALUE));
}

fr_ev fr_atomic_next_step(const struct atomic_lock_find *f, fr_ev e)
{
	fr_ev last = e;

	while (is_part(f, last + 1))
		last++;
	return fr_model_next(f->m, last);
}

void fr_atomic_change(struct atomic_lock_find *f, fr_ev e, enum atomic_change how)
{
	enum atomic_change rest = how >= FR_AC_MARK ? FR_AC_MARK : FR_AC_DROP;

	fr_vec_push(&f->tried, ((struct atomic_changed){e, how}));
	for (fr_ev p = e + 1; is_part(f, p); p++)
		fr_vec_push(&f->tried, ((struct atomic_changed){p, rest}));
}

/* The events of a word, one after the other. */
struct atomic_lock_walk {
	struct lock_word w;
	uint32_t i, end; /* in the list of the location */
	fr_ev last;	 /* the last event that was given */
	uint32_t owner;	 /* thread + 1 */
	uint32_t first;	 /* the first thread that took the lock, + 1 */
	bool others;	 /* another one did too */
	/* one word: */
	uint64_t taken;	 /* the value that the first one stored */
	bool values;	 /* another one stored another value */
	bool waited_for; /* by some attempt to take it */
	bool seen; /* an attempt that does not wait, or that no loop is known of, found it taken */
	bool updates; /* an update other than compare-exchange freed it */
};

static struct atomic_lock_walk walk(const struct atomic_lock_find *f, struct lock_word w)
{
	const struct fr_mclass *k = &f->m->cls[FR_C_LOC];

	return (struct atomic_lock_walk){.w = w, .i = k->first[w.loc], .end = k->first[w.loc + 1]};
}

/* The next event that touches the word; FR_NO_EV: none. Gives the WRITE of an update only through
   its READ. */
static fr_ev next_of(const struct atomic_lock_find *f, struct atomic_lock_walk *x)
{
	while (x->i < x->end) {
		fr_ev e = f->m->cls[FR_C_LOC].list[x->i++];

		if (!(f->m->ev[e].mask & x->w.mask) ||
		    (is_part(f, e) && fr_atomic_is_update(f, e - 1)))
			continue;
		return x->last = e;
	}
	return x->last = FR_NO_EV;
}

static void take(struct atomic_lock_walk *x, const struct fr_mev *v)
{
	fr_assert(!x->owner);
	x->owner = v->thread + 1u;
	x->first = x->first ? x->first : x->owner;
	x->others |= x->first != x->owner;
}

/* ---- one word ---- */

/* The step after a read of the free lock, if it accesses the word too: an attempt to take it, or
   another read; else FR_NO_EV. */
static fr_ev attempt(const struct atomic_lock_find *f, fr_ev read, const struct lock_word *w)
{
	fr_ev next = fr_atomic_next_step(f, read);

	return next != FR_NO_EV && is_plain(f, next, w) && f->m->ev[next].op == FR_OP_READ
		   ? next
		   : FR_NO_EV;
}

static void take_word(struct atomic_lock_find *f, struct atomic_lock_walk *x, fr_ev e, fr_ev update,
		      bool waiting)
{
	uint64_t now = value(f, update + 1);

	fr_assert(fr_atomic_is_update(f, update));
	fr_atomic_change(f, e, waiting ? FR_AC_ACQUIRE : FR_AC_TRY);
	x->taken = x->first ? x->taken : now;
	x->values |= x->taken != now;
	x->waited_for |= waiting;
	take(x, &f->m->ev[e]);
}

/* Handles reads of the free lock and the attempt that follows. A thread that must wait does so at
   its first read, so that is the ACQUIRE if no other thread comes in between. */
static bool read_free(struct atomic_lock_find *f, struct atomic_lock_walk *x, fr_ev e,
		      uint64_t free_value)
{
	struct atomic_lock_walk ahead = *x;
	bool waiting = fr_atomic_waits(f, e);
	fr_ev next = e;

	do {
		next = attempt(f, next, &x->w);
		if (next == FR_NO_EV)
			return false;
		waiting |= fr_atomic_waits(f, next);
	} while (next_of(f, &ahead) == next && value(f, next) == free_value &&
		 !fr_atomic_is_update(f, next));
	if (ahead.last != next || value(f, next) != free_value || !fr_atomic_is_update(f, next) ||
	    value(f, next + 1) == free_value) {
		fr_atomic_change(f, e, FR_AC_DROP);
		return fr_atomic_waits(f, e);
	}
	take_word(f, x, e, next, waiting);
	while (x->last != next) {
		fr_ev passed = next_of(f, x);

		fr_assert(passed != FR_NO_EV); /* `ahead` came to `next` */
		fr_atomic_change(f, passed, FR_AC_DROP);
	}
	return true;
}

/* The owner frees the lock. */
static bool owner_step(struct atomic_lock_find *f, struct atomic_lock_walk *x, fr_ev e,
		       uint64_t free_value)
{
	fr_ev write = fr_atomic_is_update(f, e) ? e + 1 : e;

	if (f->m->ev[write].op != FR_OP_WRITE || value(f, write) != free_value)
		return false;
	x->updates |= write != e && f->m->ev[e].origin == FR_ORIGIN_RMW;
	fr_atomic_change(f, e, FR_AC_RELEASE);
	x->owner = 0;
	return true;
}

/* Handles one step. False: it is not part of the protocol. */
static bool one_word_step(struct atomic_lock_find *f, struct atomic_lock_walk *x, fr_ev e,
			  uint64_t free_value)
{
	const struct fr_mev *v = &f->m->ev[e];
	bool update = fr_atomic_is_update(f, e);
	bool found_free = v->op == FR_OP_READ && value(f, e) == free_value;

	if (x->owner == v->thread + 1u)
		return owner_step(f, x, e, free_value);
	if (v->op != FR_OP_READ || found_free != !x->owner)
		return false;
	if (!found_free) { /* the access stores either nothing or the value that it read */
		if (update && value(f, e + 1) != value(f, e))
			return false;
		x->seen |= !fr_atomic_waits(f, e);
		fr_atomic_change(f, e, FR_AC_FAILED);
		return true;
	}
	if (!update)
		return read_free(f, x, e, free_value);
	if (value(f, e + 1) == free_value)
		return false;
	take_word(f, x, e, e, fr_atomic_waits(f, e));
	return true;
}

/* Is this an attempt to take the lock, or the read before one? */
static bool is_attempt(const struct atomic_lock_find *f, fr_ev e, const struct lock_word *w)
{
	fr_ev next = e;

	while (!fr_atomic_is_update(f, next)) {
		next = f->m->ev[next].op == FR_OP_READ ? attempt(f, next, w) : FR_NO_EV;
		if (next == FR_NO_EV || value(f, next) != value(f, e))
			return false;
	}
	return true;
}

/* Is e a read that continues the reads of its thread? Then it is an attempt if the read before it
   is. */
static bool reads_again(const struct atomic_lock_find *f, fr_ev e, const struct lock_word *w)
{
	fr_ev before = fr_model_prev(f->m, e);

	return before != FR_NO_EV && is_plain(f, before, w) && f->m->ev[before].op == FR_OP_READ &&
	       !fr_atomic_is_update(f, before) && value(f, before) == value(f, e);
}

static bool is_one_word(struct atomic_lock_find *f, struct lock_word w)
{
	struct atomic_lock_walk x = walk(f, w);
	bool used = false;
	uint64_t free_value = 0;
	fr_ev e;

	while ((e = next_of(f, &x)) != FR_NO_EV) {
		if (!used && is_plain(f, e, &w) && !reads_again(f, e, &w) && is_attempt(f, e, &w)) {
			used = true;
			free_value = value(f, e);
		}
		if (!used)
			continue; /* it is initialised */
		if (!is_plain(f, e, &w) || !one_word_step(f, &x, e, free_value))
			return false;
	}
	/* A counter goes up and down by updates. A thread that does not wait may use the value
	   that it found. */
	return x.others && (x.waited_for || !x.updates) && !(x.values && x.seen);
}

/* ---- tickets ---- */

struct ticket {
	struct lock_word next; /* tickets are drawn here */
	bool known;	       /* next is */
	uint64_t mine;	       /* of the owner */
};

/* Draws the step a ticket, as fetch_add does? */
static bool draws(const struct atomic_lock_find *f, fr_ev e)
{
	const struct fr_mev *v = &f->m->ev[e];
	uint64_t bytes = fr_mask_bytes(v->mask) >> (8 * (unsigned)__builtin_ctz(v->mask | 0x100u));
	struct lock_word w = {v->obj, v->mask};

	return is_plain(f, e, &w) && fr_atomic_is_update(f, e) && v->origin == FR_ORIGIN_RMW &&
	       value(f, e + 1) == ((value(f, e) + 1) & bytes);
}

/* The step that drew the ticket for which this step waits: the last step of the thread before it
   that does not read w. */
static fr_ev drawn(const struct atomic_lock_find *f, fr_ev e, const struct lock_word *w)
{
	do {
		e = fr_model_prev(f->m, e);
		e = e == FR_NO_EV ? e : fr_head(f->m, e);
	} while (e != FR_NO_EV && is_of(f, e, w) && f->m->ev[e].op == FR_OP_READ &&
		 !fr_atomic_is_update(f, e));
	return e != FR_NO_EV && draws(f, e) ? e : FR_NO_EV;
}

/* A read of the number that is served, in a waiting loop. */
static bool ticket_read(struct atomic_lock_find *f, struct atomic_lock_walk *x, struct ticket *t,
			fr_ev e)
{
	fr_ev from = fr_atomic_waits(f, e) ? drawn(f, e, &x->w) : FR_NO_EV;

	if (from == FR_NO_EV || f->m->ev[e].mask == 0)
		return false;
	if (!t->known) {
		t->known = true;
		t->next = (struct lock_word){f->m->ev[from].obj, f->m->ev[from].mask};
	}
	if (!is_of(f, from, &t->next))
		return false;
	if (value(f, e) != value(f, from)) {
		fr_atomic_change(f, e, FR_AC_FAILED);
		return x->owner;
	}
	if (x->owner)
		return false;
	fr_atomic_change(f, e, FR_AC_ACQUIRE);
	take(x, &f->m->ev[e]);
	t->mine = value(f, e);
	return true;
}

/* The owner reads its number, or stores the next one. */
static bool ticket_owner(struct atomic_lock_find *f, struct atomic_lock_walk *x,
			 const struct ticket *t, fr_ev e)
{
	bool update = fr_atomic_is_update(f, e);
	fr_ev write = update ? e + 1 : e, next = fr_atomic_next_step(f, e);
	uint64_t bytes = fr_mask_bytes(x->w.mask) >> (8 * (unsigned)__builtin_ctz(x->w.mask));

	if (f->m->ev[write].op == FR_OP_WRITE) {
		fr_atomic_change(f, e, FR_AC_RELEASE);
		x->owner = 0;
		return value(f, write) == ((t->mine + 1) & bytes);
	}
	fr_atomic_change(f, e, FR_AC_DROP);
	return value(f, e) == t->mine && next != FR_NO_EV && is_plain(f, next, &x->w) &&
	       f->m->ev[next].op == FR_OP_WRITE;
}

/* All that happens to the word of the tickets: each is drawn right before the wait for it. */
static bool drops_tickets(struct atomic_lock_find *f, const struct lock_word *next,
			  const struct lock_word *serving)
{
	struct atomic_lock_walk x = walk(f, *next);
	bool used = false;
	fr_ev e;

	while ((e = next_of(f, &x)) != FR_NO_EV) {
		fr_ev then = fr_atomic_next_step(f, e);

		used |= draws(f, e);
		if (!used)
			continue; /* it is initialised */
		if (!is_of(f, e, next) || !draws(f, e) || then == FR_NO_EV ||
		    !is_plain(f, then, serving) || f->m->ev[then].op != FR_OP_READ ||
		    !fr_atomic_waits(f, then))
			return false;
		fr_atomic_change(f, e, FR_AC_DROP);
	}
	return used;
}

static bool is_ticket(struct atomic_lock_find *f, struct lock_word w)
{
	struct atomic_lock_walk x = walk(f, w);
	struct ticket t = {0};
	fr_ev e;

	while ((e = next_of(f, &x)) != FR_NO_EV) {
		const struct fr_mev *v = &f->m->ev[e];

		if (!t.known && v->op == FR_OP_WRITE)
			continue; /* it is initialised */
		if (!is_plain(f, e, &w))
			return false;
		if (x.owner == v->thread + 1u ? !ticket_owner(f, &x, &t, e)
					      : v->op != FR_OP_READ || fr_atomic_is_update(f, e) ||
						    !ticket_read(f, &x, &t, e))
			return false;
	}
	return x.others && drops_tickets(f, &t.next, &w);
}

/* ---- all words ---- */

static void settle(struct atomic_lock_find *f, struct lock_word w)
{
	const struct fr_mobj *o = &f->m->cls[FR_C_LOC].obj[w.loc];

	fr_assert(f->obj.n + 1 < LOCKS_MAX);
	if (!f->change)
		f->change = fr_xcalloc(f->m->n, sizeof(*f->change));
	FR_VEC_FOREACH (c, &f->tried) {
		fr_assert(f->change[c->ev] == FR_AC_KEEP);
		f->change[c->ev] = (uint32_t)c->how | (uint32_t)f->obj.n << FR_AC_BITS;
	}
	fr_vec_push(&f->obj, ((struct fr_mobj){.addr = o->addr + (unsigned)__builtin_ctz(w.mask),
					       .aux = FR_LOCK_SPIN}));
}

/* Is some event of the tried word already part of another lock, or are there too many? */
static bool is_taken(const struct atomic_lock_find *f)
{
	FR_VEC_FOREACH (c, &f->tried)
		if (f->change && f->change[c->ev] != FR_AC_KEEP)
			return true;
	return f->obj.n + 1 == LOCKS_MAX;
}

typedef bool atomic_lock_try(struct atomic_lock_find *f, struct lock_word w);

static bool tried_as(struct atomic_lock_find *f, struct lock_word w, atomic_lock_try *is)
{
	f->tried.n = 0;
	return is(f, w);
}

static bool is_word_or_ticket(struct atomic_lock_find *f, struct lock_word w)
{
	return tried_as(f, w, is_one_word) || tried_as(f, w, is_ticket);
}

/* Tries the words that an atomic update changes, or (`looked_at`) that some waiting loop reads. */
static void find_locks(struct atomic_lock_find *f, atomic_lock_try *is, bool looked_at)
{
	struct fr_map seen = {0};

	for (fr_ev e = 0; e < f->m->n; e++) {
		const struct fr_mev *v = &f->m->ev[e];
		struct lock_word w = {v->obj, v->mask};
		uint64_t *done;

		if (v->op != FR_OP_READ || !(v->flags & FR_F_ATOMIC) ||
		    (!fr_atomic_is_update(f, e) && !(looked_at && fr_atomic_waits(f, e))) ||
		    (f->change && f->change[e] != FR_AC_KEEP))
			continue;
		done = fr_map_put(&seen, (uint64_t)v->obj << 8 | v->mask);
		if (*done)
			continue;
		*done = 1;
		if (tried_as(f, w, is) && !is_taken(f))
			settle(f, w);
	}
	fr_map_free(&seen);
}

/* ---- the new model ---- */

static struct fr_mev changed_event(const struct atomic_lock_find *f, fr_ev e, uint32_t first_lock)
{
	static const uint8_t op[] = {[FR_AC_ACQUIRE] = FR_OP_ACQUIRE,
				     [FR_AC_TRY] = FR_OP_ACQUIRE,
				     [FR_AC_RELEASE] = FR_OP_RELEASE,
				     [FR_AC_FAILED] = FR_OP_ACQUIRE_FAILED};
	const struct fr_mev *v = &f->m->ev[e];
	enum atomic_change how = fr_atomic_change_of(f, e);
	struct fr_mev r = *v;

	if (how >= FR_AC_MARK && v->flags & FR_F_ATOMIC)
		r.flags |= FR_F_BENIGN;
	if (how == FR_AC_KEEP || how >= FR_AC_MARK)
		return r;
	fr_assert(how != FR_AC_DROP);
	r = (struct fr_mev){.obj = first_lock + fr_atomic_lock_of(f, e),
			    .site = v->site,
			    .thread = v->thread,
			    .op = op[how],
			    .kind = (uint8_t)fr_model_kind(v)};
	/* A thread that never got it waits to the end of the run. */
	if (how == FR_AC_ACQUIRE || (how == FR_AC_FAILED && f->waits(f->arg, v->site) &&
				     fr_atomic_next_step(f, e) == FR_NO_EV))
		r.flags = FR_F_BLOCKING;
	return r;
}

/* The part that takes or frees the lock, after the last part of the step. */
static void add_part(const struct atomic_lock_find *f, struct fr_builder *b, fr_ev head,
		     uint64_t hook)
{
	const struct fr_mev *v = &f->m->ev[head];
	struct fr_mev r = {.obj = f->m->cls[FR_C_LOCK].n + fr_atomic_lock_of(f, head),
			   .site = v->site,
			   .thread = v->thread,
			   .flags = FR_F_PART,
			   .op = fr_atomic_change_of(f, head) == FR_AC_THEN_ACQUIRE ? FR_OP_ACQUIRE
										    : FR_OP_RELEASE,
			   .kind = (uint8_t)fr_model_kind(v)};

	fr_assert(!(v->flags & FR_F_PART));
	fr_builder_add(b, &r, hook);
}

static struct fr_builder *begin(const struct atomic_lock_find *f)
{
	struct fr_builder *b = fr_builder_new();

	for (uint32_t t = 0; t < f->m->nthreads; t++)
		fr_builder_thread(b, f->m->thread[t].path, f->m->thread[t].id);
	for (unsigned c = 0; c < FR_C_COUNT; c++)
		for (uint32_t i = 0; i < f->m->cls[c].n; i++)
			fr_builder_obj(b, (enum fr_class)c, f->m->cls[c].obj[i]);
	FR_VEC_FOREACH (o, &f->obj)
		fr_builder_obj(b, FR_C_LOCK, *o);
	return b;
}

static struct fr_model *rebuild(const struct atomic_lock_find *f)
{
	struct fr_builder *b = begin(f);
	FR_CLEANUP(fr_freep)
	struct fr_hooks_cursor *hooks = fr_xcalloc(f->m->nthreads + 1, sizeof(*hooks));
	fr_ev head = 0;
	struct fr_model *m;

	for (uint32_t t = 0; t < f->m->nthreads; t++)
		hooks[t].h = &f->m->thread[t].hooks;
	for (fr_ev e = 0; e < f->m->n; e++) {
		struct fr_mev v;
		uint64_t hook = fr_hooks_next(&hooks[f->m->ev[e].thread]);
		fr_ev at;

		if (fr_atomic_change_of(f, e) == FR_AC_DROP)
			continue;
		v = changed_event(f, e, f->m->cls[FR_C_LOCK].n);
		at = fr_builder_add(b, &v, hook);
		if (v.op == FR_OP_ALLOC)
			b->obj[FR_C_HEAP].v[v.obj].count = at + 1;
		head = v.flags & FR_F_PART ? head : e;
		if (!is_part(f, e + 1) && fr_atomic_change_of(f, head) > FR_AC_MARK)
			add_part(f, b, head, hook);
	}
	for (uint32_t t = 0; t < f->m->nthreads; t++)
		fr_assert(hooks[t].position == hooks[t].h->n);
	m = fr_builder_finish(b);
	fr_assert(m->cls[FR_C_LOCK].n == f->m->cls[FR_C_LOCK].n + f->obj.n);
	memcpy(m->count, f->m->count, sizeof(m->count));
	return m;
}

struct fr_model *fr_atomic_locks(struct fr_model *m, bool (*waits)(void *arg, uint32_t site),
				 void *arg, struct fr_spin_loops *spins)
{
	struct atomic_lock_find f = {.m = m, .waits = waits, .arg = arg};
	struct fr_model *r = m;

	fr_assert(!m->trace && !m->heap_index);
	/* A queue that must keep its accesses comes last: another word may be its end. */
	find_locks(&f, is_word_or_ticket, true);
	find_locks(&f, fr_is_alike_queue_lock, false);
	find_locks(&f, fr_is_queue_lock, false);
	if (f.obj.n && spins)
		fr_atomic_spin_loops(&f, spins);
	if (f.obj.n) {
		r = rebuild(&f);
		fr_model_free(m);
	}
	free(f.change);
	fr_vec_free(&f.tried);
	fr_vec_free(&f.obj);
	return r;
}
