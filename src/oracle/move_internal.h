/*
 * The parts of the mover: move_can.c tells whether a step can happen next, move_walk.c walks
 * through the set, and move.c acts when no thread can continue.
 */
#ifndef FR_ORACLE_MOVE_INTERNAL_H
#define FR_ORACLE_MOVE_INTERNAL_H

#include "oracle/move.h"

#define FR_NO_RUNNER UINT32_MAX

enum fr_standing { FR_READY, FR_STANDS_FOR_EVENT, FR_STANDS_FOR_LOCK, FR_STANDS_FOR_EVER };

/* A thread of the set, during a walk. */
struct fr_runner {
	uint32_t thread, pos, end;
	fr_ev next;	      /* its next event; at its end, its first event outside the set */
	uint32_t need, needs; /* index of its next need, end of its needs */
	enum fr_standing standing;
	fr_ev event;	 /* FR_STANDS_FOR_EVENT: the event it waits for */
	uint32_t lock;	 /* FR_STANDS_FOR_LOCK */
	uint32_t waiter; /* first runner that waits for an event of this one */
	uint32_t other;	 /* next runner in the same list of waiters */
};

struct fr_move_lock {
	uint32_t epoch;
	bool owned;
	uint32_t shared, waiter;
};

struct fr_mover {
	const struct fr_model *m;
	const struct fr_causality *c;
	const struct fr_prefix *f;
	uint32_t *runner_of; /* index of each thread's runner, for threads in the set */
	struct fr_move_lock *lock;
	uint32_t *flag_at; /* of each flag: all its releases before this list index have happened */
	uint32_t *flag_epoch, epoch;
	FR_VEC(struct fr_runner) runner;
	FR_VEC(struct fr_need) need, given; /* given: the caller's needs, then the learned ones */
	size_t ngiven;
	FR_VEC(struct fr_section) section;
	FR_VEC(uint32_t) heap; /* indices of ready runners, the earliest next event on top */
	uint32_t steps;
};

/* Has e happened in this walk? */
static inline bool fr_move_done(const struct fr_mover *x, fr_ev e)
{
	uint32_t t = x->m->ev[e].thread;

	if (e < x->f->floor)
		return true;
	return x->f->thread[t].epoch == x->f->epoch && e < x->runner.v[x->runner_of[t]].next;
}

static inline struct fr_move_lock *fr_move_lock_of(struct fr_mover *x, uint32_t lock)
{
	struct fr_move_lock *l = &x->lock[lock];

	if (l->epoch != x->epoch)
		*l = (struct fr_move_lock){.epoch = x->epoch, .waiter = FR_NO_RUNNER};
	return l;
}

/* Can the runner's next step happen? If not, sets the reason in *r. */
bool fr_move_can_go(struct fr_mover *x, struct fr_runner *r);
/* Walks through the set once. True: every runner has reached its end, and ret has the steps. */
bool fr_move_walk(struct fr_mover *x, struct fr_schedule *ret);

#endif
