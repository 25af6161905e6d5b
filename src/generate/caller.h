/*
 * Who called whom when a lock was taken or given back: whether one function has two lock regions.
 */
#ifndef FR_GENERATE_CALLER_H
#define FR_GENERATE_CALLER_H

#include "generate/generate.h"

/* One call of a function; 0 stands for none. */
struct fr_call {
	uint32_t from; /* the call that it came from */
	uint32_t site; /* where in that */
};
struct fr_call_change {
	fr_ev at; /* what takes or gives back locks from here on is in this call */
	uint32_t call;
};
struct fr_callers {
	FR_VEC(struct fr_call) call;
	FR_VEC(struct fr_call_change) * thread; /* of each; NULL: not read yet */
	uint32_t nthreads;
};

/* A lock region: where it is taken, where it is given back. FR_NO_EV: it is not. */
struct fr_lock_region {
	fr_ev take, give;
};

/*
 * Is there a call of a function that has x and, below, y: in itself, or in a function that it
 * calls? Not if both are in calls of the same function: that does one thing twice. A region is in
 * the innermost call that both takes and gives back, so that wrappers of locks do not count. The
 * trace is read again when this is first asked.
 */
bool fr_callers_same(struct fr_callers *c, const struct fr_model *m, const struct fr_lock_region *x,
		     const struct fr_lock_region *y);
void fr_callers_free(struct fr_callers *c);

#endif
