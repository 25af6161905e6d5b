/*
 * What every feasible reordering has in common: must-happen-before, locks held, acquisition
 * histories, cuts at which the run can be taken up.
 *
 * Must-happen-before: program order, creation, join, barriers, once, annotated acquire/release,
 * and what follows from them. Locks, condition variables and data are not in it.
 * Clocks are kept where something comes in from another thread, not for each event.
 */
#ifndef FR_CAUSALITY_CAUSALITY_H
#define FR_CAUSALITY_CAUSALITY_H

#include "model/model.h"

struct fr_causality;
struct fr_causality *fr_causality_new(const struct fr_model *m);
void fr_causality_free(struct fr_causality *c);

/* Must a happen before b in every feasible reordering that contains b? (false for a == b) */
bool fr_mhb(const struct fr_causality *c, fr_ev a, fr_ev b);
/* The last event of thread t that must happen before e, FR_NO_EV if there is none. */
fr_ev fr_mhb_last(const struct fr_causality *c, fr_ev e, uint32_t t);

/* Locks that e's thread holds right before e: pairs (lock object, its ACQUIRE), outermost first. */
struct fr_held {
	uint32_t lock;
	fr_ev acquire;
	bool shared;
};
/* Up to `cap` of them; returns how many there are. */
uint32_t fr_locks_held(const struct fr_causality *c, fr_ev e, struct fr_held *ret, uint32_t cap);
/* The same for what a thread holds after its first `pos` events. */
uint32_t fr_locks_held_at(const struct fr_causality *c, uint32_t thread, uint32_t pos,
			  struct fr_held *ret, uint32_t cap);

/* The release that ends the critical section that this ACQUIRE(_SHARED) begins; FR_NO_EV: none. */
fr_ev fr_release_of(const struct fr_causality *c, fr_ev acquire);

/* The last cut c <= e such that no lock is held at the end of the recorded prefix [0, c) and no
   wait has begun and not returned; 0 is always one. `skip`: the one before that, and so on. */
fr_ev fr_cut_before(const struct fr_causality *c, fr_ev e, uint32_t skip);

/* The writes at or after `floor` that a READ saw in the recorded order, each once, latest first:
   up to 8; returns how many. Quick however many reads lie between. */
uint32_t fr_writers_since(const struct fr_causality *c, fr_ev read, fr_ev floor, fr_ev ret[8]);

/* Place in the list of locations (m->cls[FR_C_LOC].list) of the last WRITE in [from, end) of it;
   UINT32_MAX: there is none. */
uint32_t fr_write_before(const struct fr_causality *c, uint32_t from, uint32_t end);

/* What serves a WAIT, a SEM_WAIT in the recorded order: the SIGNAL or BROADCAST (of all ways to
   give each signal to one wait, one that serves all), the SEM_POST (first come, first served).
   FR_NO_EV: nothing is needed (timed out; a unit that was there at the start). */
fr_ev fr_signal_of(const struct fr_causality *c, fr_ev wait);
fr_ev fr_post_of(const struct fr_causality *c, fr_ev wait);

/* Place in an ascending list of the first that is not below e. */
static inline uint32_t fr_list_lower(const fr_ev *list, uint32_t n, fr_ev e)
{
	uint32_t lo = 0;

	while (n) {
		uint32_t half = n / 2;

		if (list[lo + half] < e) {
			lo += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return lo;
}

#endif
