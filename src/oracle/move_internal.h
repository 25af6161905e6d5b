/*
 * The parts of moving events: what can happen next (move_can.c), walking through the set
 * (move_walk.c), what to do when all stand (move.c).
 */
#ifndef FR_ORACLE_MOVE_INTERNAL_H
#define FR_ORACLE_MOVE_INTERNAL_H

#include "oracle/move.h"

#define FR_NO_RUNNER UINT32_MAX

enum fr_standing { FR_READY, FR_STANDS_FOR_EVENT, FR_STANDS_FOR_LOCK, FR_STANDS_FOR_EVER };

/* A thread of the set. */
struct fr_runner {
	uint32_t thread, pos, end;
	fr_ev next;	      /* its next event; behind the set's: the first that is not in */
	uint32_t need, needs; /* the next of its needs, their end */
	enum fr_standing standing;
	fr_ev event;	 /* FR_STANDS_FOR_EVENT: that */
	uint32_t lock;	 /* FR_STANDS_FOR_LOCK */
	uint32_t waiter; /* the first of the runners that wait for an event of this one */
	uint32_t other;	 /* the next that waits for the same runner or lock */
};

struct fr_move_lock {
	uint32_t epoch;
	bool owned;
	uint32_t shared, waiter;
};

struct fr_mover {
	const struct fr_model *m;
	const struct fr_causality *c;
	const struct fr_front *f;
	uint32_t *runner_of; /* of each thread that the set has touched */
	struct fr_move_lock *lock;
	uint32_t *flag_at; /* of each flag, in this walk: all that are before it were released */
	uint32_t *flag_epoch, epoch;
	FR_VEC(struct fr_runner) runner;
	FR_VEC(struct fr_need) need, given; /* given: then what was learned */
	size_t ngiven;
	FR_VEC(struct fr_section) section;
	FR_VEC(uint32_t) heap; /* runners that are ready, the earliest on top */
	uint32_t steps;
};

/* Has it happened in this walk? */
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

/* Can its next step happen? If not, it stands. */
bool fr_move_can_go(struct fr_mover *x, struct fr_runner *r);
/* One walk. True: all have come to their ends; ret has the steps. */
bool fr_move_walk(struct fr_mover *x, struct fr_schedule *ret);

#endif
