/*
 * The calls in which locks were acquired and released: decides whether two lock regions belong to
 * one function.
 */
#ifndef FR_GENERATE_CALLER_H
#define FR_GENERATE_CALLER_H

#include "generate/generate.h"

/* One call of a function; number 0 means none. */
struct fr_call {
	uint32_t from; /* number of the calling call */
	uint32_t site; /* call site in it */
};
struct fr_call_change {
	fr_ev at; /* lock operations from here on are in this call */
	uint32_t call;
};
struct fr_callers {
	FR_VEC(struct fr_call) call;
	FR_VEC(struct fr_call_change) * thread; /* one list per thread; NULL: not read yet */
	uint32_t nthreads;
};

/* A lock region: its acquire and its release. give is FR_NO_EV if the lock is never released. */
struct fr_lock_region {
	fr_ev take, give;
};

/*
 * Does one call of a function contain the region x and, below it in the source, the region y, each
 * in the function itself or in a function that it calls? Not if both are in calls of the same
 * function: that function does one thing twice. A region belongs to the innermost call that
 * contains both its acquire and its release, so wrappers of lock functions do not count. The first
 * query reads the trace again.
 */
bool fr_callers_same(struct fr_callers *c, const struct fr_model *m, const struct fr_lock_region *x,
		     const struct fr_lock_region *y);
/* Likewise, but both may be in calls of the same function, and y may be at the site of x or above
   it in the text: in a later iteration of a loop. */
bool fr_callers_one(struct fr_callers *c, const struct fr_model *m, const struct fr_lock_region *x,
		    const struct fr_lock_region *y);
void fr_callers_free(struct fr_callers *c);

#endif
