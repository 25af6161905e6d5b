/*
 * The mover orders a set of events that holds a prefix of every thread (causality/prefix.h). The
 * order stays as close to the recorded order as the needs of the events allow.
 *
 * PECAN's Algorithms 3 and 4 move the events that depend on an event behind another one. If an
 * event in a critical section is in the way, they move everything from its lock on. The mover walks
 * through the set in recorded order instead. A thread whose next step must wait stops, so that its
 * later events move behind the event it waits for. If all threads stop because one of them holds a
 * lock that others want, the mover makes that thread wait before it takes the lock, and walks
 * again.
 *
 * Use: fr_mover_begin, then fr_mover_need and fr_mover_section for the set, then fr_mover_go.
 * hybrid.c is the only caller.
 */
#ifndef FR_ORACLE_MOVE_H
#define FR_ORACLE_MOVE_H

#include "causality/prefix.h"
#include "model/schedule.h"

/* The step `after` must not come before the event `before`. */
struct fr_need {
	fr_ev after, before; /* after: the head of a step */
};
/* A critical section whose acquisition is in the set, or before its floor and held there. */
struct fr_section {
	fr_ev acquire, release; /* release: FR_NO_EV if not in the set */
};

enum fr_moved { FR_MOVED, FR_MOVE_STUCK, FR_MOVE_LONG };

struct fr_mover;
struct fr_mover *fr_mover_new(const struct fr_model *m, const struct fr_causality *c);
void fr_mover_free(struct fr_mover *x);
/* Begins a new set and forgets the needs and sections of the old one. The caller then adds the
   needs and sections that the model does not imply. */
void fr_mover_begin(struct fr_mover *x, const struct fr_prefix *f);
void fr_mover_need(struct fr_mover *x, fr_ev after, fr_ev before);
void fr_mover_section(struct fr_mover *x, fr_ev acquire, fr_ev release);
/* Orders the set. `far`: delay a blocker behind everything that blocked it; otherwise only
   behind the thread that it blocked. Replaces the steps of *ret, and adds the steps walked to
   *ret_events. */
enum fr_moved fr_mover_go(struct fr_mover *x, bool far, struct fr_schedule *ret,
			  uint32_t *ret_events);

#endif
