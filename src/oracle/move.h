/*
 * Moving events: an order of a set of events that is a prefix of every thread (front.h), as near to
 * the recorded order as what has to wait for something else allows.
 *
 * PECAN's Algorithms 3 and 4 move what depends on an event behind another, and with an event inside
 * a critical section everything from the lock on that is in the way. Here the set is gone through
 * in recorded order; a thread whose next step has to wait stands, and so what comes after it moves
 * behind what it waits for. If then nobody can go on because somebody stands who holds a lock that
 * others want, it is made to wait before it takes that lock, and the set is gone through again.
 */
#ifndef FR_ORACLE_MOVE_H
#define FR_ORACLE_MOVE_H

#include "causality/prefix.h"
#include "model/schedule.h"

/* A step that must not come before another event. */
struct fr_need {
	fr_ev after, before; /* after: the head of a step */
};
/* An acquisition in the set, or before its floor and held there. */
struct fr_section {
	fr_ev acquire, release; /* release: FR_NO_EV if it is not in the set */
};

enum fr_moved { FR_MOVED, FR_MOVE_STUCK, FR_MOVE_LONG };

struct fr_mover;
struct fr_mover *fr_mover_new(const struct fr_model *m, const struct fr_causality *c);
void fr_mover_free(struct fr_mover *x);
/* What has to be respected besides what the model says. A new set: forgets the old one's. */
void fr_mover_begin(struct fr_mover *x, const struct fr_front *f);
void fr_mover_need(struct fr_mover *x, fr_ev after, fr_ev before);
void fr_mover_section(struct fr_mover *x, fr_ev acquire, fr_ev release);
/* `far`: who is in the way waits for all that stopped it; else only for who it was in the way of.
   Replaces ret's steps; ret_events grows by the steps that were gone through. */
enum fr_moved fr_mover_go(struct fr_mover *x, bool far, struct fr_schedule *ret,
			  uint32_t *ret_events);

#endif
