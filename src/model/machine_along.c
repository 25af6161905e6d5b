/*
 * The fast path of the model machine along the recorded order, where it takes nearly all of its
 * steps: every schedule begins with a prefix of that order. The rules are those of machine_step.c,
 * which still does all but four common cases: a read of the value that the last write to the same
 * bytes wrote, a write, the acquisition of a free lock, and a release by its owner.
 *
 * Far before the cut (x->quiet) it does not compare the values of reads: a read changes no state,
 * and the recorded order is feasible by itself.
 *
 * Relies on each thread's list being made from the recorded order, so that the next event of that
 * order is the next event of its thread.
 */
#include "model/machine.h"

#define AHEAD 16 /* events to prefetch ahead */

static inline __attribute__((always_inline)) void put(struct fr_machine *x, uint32_t at,
						      uint32_t value, bool note)
{
	if (note)
		fr_machine_note(x, at, x->w[at]);
	x->w[at] = value;
}

/* Do all bytes of the location have the same last write? bytes: index of their words, or 0. */
static inline bool is_whole(const struct fr_machine *x, uint32_t bytes)
{
	uint32_t differ = 0;

	for (unsigned i = 1; bytes && i < 8; i++)
		differ |= x->w[bytes + i] ^ x->w[bytes];
	return !differ;
}

/* Does the last write to these bytes as a whole have the known value that the read returned? */
static inline bool read_whole(const struct fr_machine *x, const struct fr_mev *v)
{
	uint32_t bytes = fr_machine_bytes(x, v->obj), cell = x->w[bytes ? bytes : x->loc + v->obj];
	const struct fr_mev *w;

	if (cell >= FR_CELL_INITIAL)
		return false;
	w = &x->m->ev[cell];
	fr_assert_slow(w->op == FR_OP_WRITE && w->obj == v->obj);
	return w->value == v->value && w->mask == v->mask &&
	       !((w->flags | v->flags) & FR_F_NOVALUE) && is_whole(x, bytes);
}

static inline __attribute__((always_inline)) bool write_whole(struct fr_machine *x, fr_ev e,
							      bool note)
{
	const struct fr_mev *v = &x->m->ev[e];
	uint32_t bytes = fr_machine_bytes(x, v->obj);

	if (!bytes) {
		put(x, x->loc + v->obj, e, note);
		return true;
	}
	for (unsigned i = 0; v->mask == 0xff && i < 8; i++)
		put(x, bytes + i, e, note);
	return v->mask == 0xff;
}

/* Acquires a free lock, or releases it for its owner. Returns false in every other case. */
static inline __attribute__((always_inline)) bool lock_alone(struct fr_machine *x,
							     const struct fr_mev *v, bool note)
{
	uint32_t at = x->lock + v->obj * FR_LW_WORDS, me = v->thread + 1u;
	bool acquire = v->op == FR_OP_ACQUIRE;

	if (x->w[at + FR_LW_SHARED] || x->w[at + FR_LW_OWNER] != (acquire ? 0 : me))
		return false;
	put(x, at + FR_LW_OWNER, acquire ? me : 0, note);
	return true;
}

/* Does a common event. Returns false if fr_machine_event must do it. */
static inline __attribute__((always_inline)) bool do_plain(struct fr_machine *x, fr_ev e, bool note)
{
	switch (x->m->ev[e].op) {
	case FR_OP_READ:
		return !note || read_whole(x, &x->m->ev[e]);
	case FR_OP_WRITE:
		return write_whole(x, e, note);
	case FR_OP_ACQUIRE:
	case FR_OP_RELEASE:
		return lock_alone(x, &x->m->ev[e], note);
	default:
		return false;
	}
}

/* The write that a read will see can be far away in memory. */
static inline void fetch_write(const struct fr_machine *x, const struct fr_mev *v)
{
	if (v->op == FR_OP_READ)
		__builtin_prefetch(&x->m->ev[x->w[x->loc + v->obj] & ~FR_CELL_INITIAL]);
}

static inline __attribute__((always_inline)) int along(struct fr_machine *x, fr_ev from, fr_ev to,
						       bool note, struct fr_err *reterr)
{
	const struct fr_mev *ev = x->m->ev;
	fr_ev last = x->m->n - 1;

	for (fr_ev e = from; e < to; e++) {
		uint32_t th = fr_machine_thread(x, ev[e].thread);
		int r;

		fr_assert_slow(x->m->thread[ev[e].thread].ev[x->w[th + FR_TW_NEXT]] == e);
		if (note)
			fetch_write(x, &ev[fr_min(e + AHEAD, last)]);
		if (!x->w[th + FR_TW_MADE])
			return fr_machine_not_made(x, e, reterr);
		if (!do_plain(x, e, note)) {
			r = fr_machine_event(x, e, reterr);
			if (r < 0)
				return r;
		}
		put(x, th + FR_TW_NEXT, x->w[th + FR_TW_NEXT] + 1, note);
	}
	return 0;
}

/* Is the event the next one of its thread? */
static bool stands_at(const struct fr_machine *x, fr_ev e)
{
	const struct fr_mthread *t = &x->m->thread[x->m->ev[e].thread];
	uint32_t next = x->w[fr_machine_thread(x, x->m->ev[e].thread) + FR_TW_NEXT];

	return next < t->n && t->ev[next] == e;
}

int fr_machine_along(struct fr_machine *x, fr_ev from, fr_ev to, struct fr_err *reterr)
{
	fr_assert(x->recorded);
	fr_assert(from <= to && to <= x->m->n);
	fr_assert(from == to || stands_at(x, from));
	fr_assert(to == x->m->n || !(x->m->ev[to].flags & FR_F_PART));
	return x->quiet ? along(x, from, to, false, reterr) : along(x, from, to, true, reterr);
}
