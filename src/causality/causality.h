/*
 * The facts that every feasible reordering of a run shares: must-happen-before, the locks held at
 * an event, critical sections, the cuts at which a reordering can begin, and the writes, signals
 * and posts that served each read and wait in the recorded order.
 *
 * fr_causality_new computes them once from a model (causality.c, wait_server.c) and cannot fail.
 * Afterwards nothing changes, and the generators and the oracle only ask.
 *
 * Must-happen-before: program order, creation, joins, barriers, once, annotated acquire and
 *                     release, and everything that follows from them. Locks, condition variables,
 *                     semaphores and data are choices of the reordering, and not part of it.
 * Clocks:             stored only where a thread learns about another thread, not for each event.
 *
 *   causality.c    the facts of a run; causality_internal.h: data shared by the files
 *   clock.h        vector clocks that share equal parts
 *   locks.c        locks held at an event, and the ends of critical sections
 *   wait_server.c  the signal or post that served each wait
 *   values.h       the writes of a location by value
 *   bits.h         sets of numbers
 *   prefix.h       closes a set of events under the facts
 *   required.h     the events that every reordering to a candidate contains
 *   refute.h       proves candidates infeasible without a search
 *   slice.h        the second part of the module: which reads matter
 */
#ifndef FR_CAUSALITY_CAUSALITY_H
#define FR_CAUSALITY_CAUSALITY_H

#include "model/model.h"

struct fr_causality;
struct fr_causality *fr_causality_new(const struct fr_model *m);
void fr_causality_free(struct fr_causality *c);

/* Must a happen before b in every feasible reordering that contains b? False for a == b. */
bool fr_mhb(const struct fr_causality *c, fr_ev a, fr_ev b);
/* The last event of thread t that must happen before e, or FR_NO_EV. */
fr_ev fr_mhb_last(const struct fr_causality *c, fr_ev e, uint32_t t);

/* A lock that a thread holds, and the ACQUIRE or ACQUIRE_SHARED that took it. */
struct fr_held {
	uint32_t lock;
	fr_ev acquire;
	bool shared;
};
/* The locks that e's thread holds right before e, outermost first. Stores up to `cap`; returns
   their total number. */
uint32_t fr_locks_held(const struct fr_causality *c, fr_ev e, struct fr_held *ret, uint32_t cap);
/* The same, after the first `pos` events of a thread. */
uint32_t fr_locks_held_at(const struct fr_causality *c, uint32_t thread, uint32_t pos,
			  struct fr_held *ret, uint32_t cap);

/* The release that ends the critical section of this ACQUIRE or ACQUIRE_SHARED, or FR_NO_EV. */
fr_ev fr_release_of(const struct fr_causality *c, fr_ev acquire);

/* The last cut <= e such that after the recorded prefix before it no thread holds a lock or is in a
   condition wait. `skip` = n: the n-th cut before that one. 0 is always a cut. */
fr_ev fr_cut_before(const struct fr_causality *c, fr_ev e, uint32_t skip);

/* The writes at or after `floor` that a READ saw in the recorded order, each once, latest first.
   Returns their number, at most 8. The cost does not depend on the number of reads between. */
uint32_t fr_writers_since(const struct fr_causality *c, fr_ev read, fr_ev floor, fr_ev ret[8]);

/* The same for many reads that are near each other. *near: the index of the last read of this
   location in the location's list, or any other number; it becomes that of this read. */
uint32_t fr_writers_near(const struct fr_causality *c, fr_ev read, fr_ev floor, uint32_t *near,
			 fr_ev ret[8]);

/* The index of the last WRITE in [from, end) of m->cls[FR_C_LOC].list, or UINT32_MAX. */
uint32_t fr_write_before(const struct fr_causality *c, uint32_t from, uint32_t end);

/* The first WRITE at or after the event `from` to one of these bytes of the location, or
   FR_NO_EV. */
fr_ev fr_write_from(const struct fr_causality *c, uint32_t loc, uint8_t mask, fr_ev from);

/* The event that serves a WAIT or SEM_WAIT in the recorded order: a SIGNAL or BROADCAST (in a fixed
   assignment that serves all waits), or a SEM_POST (first come, first served). FR_NO_EV if the wait
   needs none: it timed out, or took a unit that was available at the start. */
fr_ev fr_signal_of(const struct fr_causality *c, fr_ev wait);
fr_ev fr_post_of(const struct fr_causality *c, fr_ev wait);

/* Index of the first element that is not below e in an ascending list; n if there is none. Without
   branches in the loop: processors cannot predict them. */
static inline uint32_t fr_list_lower(const fr_ev *list, uint32_t n, fr_ev e)
{
	uint32_t lo = 0;

	while (n > 1) {
		uint32_t half = n / 2;

		lo += list[lo + half - 1] < e ? half : 0;
		n -= half;
	}
	return lo + (n && list[lo] < e);
}

/* The same, fast if the index is near a guess. */
static inline uint32_t fr_list_lower_near(const fr_ev *list, uint32_t n, fr_ev e, uint32_t guess)
{
	uint32_t lo = guess < n ? guess : 0, hi = lo, step = 1;

	while (hi < n && list[hi] < e) {
		lo = hi + 1;
		hi += fr_min(step, n - hi);
		step *= 2;
	}
	while (lo && list[lo - 1] >= e) {
		hi = lo - 1;
		lo -= fr_min(step, lo);
		step *= 2;
	}
	return lo + fr_list_lower(list + lo, hi - lo, e);
}

#endif
