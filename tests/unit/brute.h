/*
 * Every feasible reordering of a small run, by brute force: all states that interleavings of the
 * threads can reach, each once. It implements the rules of model/model.h in another way than the
 * schedule checker: it derives everything but memory and wake-ups from the positions of the
 * threads, and a signal chooses the waiter that it wakes when it is sent, in every way.
 */
#ifndef FR_TESTS_BRUTE_H
#define FR_TESTS_BRUTE_H

#include "oracle/oracle.h"

#define BRUTE_EVENTS 200 /* at most */

struct brute;
/* Explores; only those reorderings in which no edge of `what` (may be NULL) is the other way round.
   Gives up after `max` states. */
struct brute *brute_new(const struct fr_model *m, const struct fr_candidate *what, size_t max);
/* The same, of the reorderings that run everything before `cut` as recorded and use, of the rest,
   only events before `end`. */
struct brute *brute_segment(const struct fr_model *m, const struct fr_candidate *what, fr_ev cut,
			    fr_ev end, size_t max);
/* The same as brute_new in a world without data: every read may find anything. */
struct brute *brute_blind(const struct fr_model *m, const struct fr_candidate *what, size_t max);
/* The same as brute_new, but up to `relax` reads may find another value; `fixed` (FR_NO_EV: none)
   may not. */
struct brute *brute_relaxed(const struct fr_model *m, const struct fr_candidate *what,
			    uint32_t relax, fr_ev fixed, size_t max);
/* The same as brute_segment under a mask: only reads that matter must find their values, or up to
   `relax` of them another one; the value of an unreliable write from the cut on is unknown. */
struct brute *brute_masked(const struct fr_model *m, const struct fr_mask *mask,
			   const struct fr_candidate *what, uint32_t relax, fr_ev cut, fr_ev end,
			   size_t max);
/* The fewest reads that must find another value, for the candidate to be feasible; UINT32_MAX: it
   is not. */
uint32_t brute_least(const struct brute *b, const struct fr_candidate *what);
void brute_free(struct brute *b);
void brute_freep(struct brute **b);

/* All states were seen. */
bool brute_complete(const struct brute *b);
size_t brute_states(const struct brute *b);
/* Can both be next at once? Heads of steps. */
bool brute_pair(const struct brute *b, fr_ev x, fr_ev y);
/* Is the candidate, with the edges that were given to brute_new, feasible? By which schedule (may
   be NULL; else its steps are replaced)? */
bool brute_feasible(const struct brute *b, const struct fr_candidate *what,
		    struct fr_schedule *ret);

/* One reordering, step by step: false if the step cannot be the next, and nothing has changed. */
struct brute_walk;
struct brute_walk *brute_walk_new(const struct fr_model *m);
/* The same, after everything before `cut` as recorded, and under a mask from there on. NULL: the
   recorded order is not possible. */
struct brute_walk *brute_walk_masked(const struct fr_model *m, const struct fr_mask *mask,
				     fr_ev cut);
bool brute_walk_step(struct brute_walk *w, fr_ev head);
/* The next event of a thread in the run, FR_NO_EV if it has none. */
fr_ev brute_walk_next(const struct brute_walk *w, unsigned thread);
/* Does memory hold the value that a read of the candidate must see? True if nothing must. */
bool brute_walk_sees(const struct brute_walk *w, const struct fr_candidate *what);
void brute_walk_free(struct brute_walk *w);

#endif
