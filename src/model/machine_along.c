/*
 * The model machine along the recorded order, where nearly all of its steps are: every schedule
 * begins with a part of that order. The rules are the same, those of check_machine.c, which does
 * everything here but the four kinds of events that most are, as they mostly are: a read of the
 * value that the last write to the same bytes wrote, a write, a lock that is free, its release by
 * who holds it.
 *
 * Relies on: a thread's list is made from the recorded order, so that the next event of that order
 *            is the next of its thread.
 */
#include "model/machine.h"

#define AHEAD 16 /* events */

static inline __attribute__((always_inline)) void put(struct fr_machine *x, uint32_t at,
						      uint32_t value, bool note)
{
	if (note)
		fr_machine_note(x, at, x->w[at]);
	x->w[at] = value;
}

/* Do all the bytes of the location say the same? bytes: where their words are, or 0. */
static inline bool is_whole(const struct fr_machine *x, uint32_t bytes)
{
	uint32_t differ = 0;

	for (unsigned i = 1; bytes && i < 8; i++)
		differ |= x->w[bytes + i] ^ x->w[bytes];
	return !differ;
}

/* A read of a known value that was written as a whole. */
static inline bool read_whole(const struct fr_machine *x, const struct fr_mev *v)
{
	uint32_t bytes = fr_machine_bytes(x, v->obj), cell = x->w[bytes ? bytes : x->loc + v->obj];
	const struct fr_mev *w;

	if (cell >= FR_CELL_INITIAL)
		return false;
	w = &x->m->ev[cell];
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

/* An acquisition of a lock that is free, a release by who holds it. */
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

/* False: to be done in the slow way. */
static inline __attribute__((always_inline)) bool do_plain(struct fr_machine *x, fr_ev e, bool note)
{
	switch (x->m->ev[e].op) {
	case FR_OP_READ:
		return read_whole(x, &x->m->ev[e]);
	case FR_OP_WRITE:
		return write_whole(x, e, note);
	case FR_OP_ACQUIRE:
	case FR_OP_RELEASE:
		return lock_alone(x, &x->m->ev[e], note);
	default:
		return false;
	}
}

/* The write that a read will find is anywhere in memory. */
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

int fr_machine_along(struct fr_machine *x, fr_ev from, fr_ev to, struct fr_err *reterr)
{
	assert(x->recorded);
	return x->quiet ? along(x, from, to, false, reterr) : along(x, from, to, true, reterr);
}
