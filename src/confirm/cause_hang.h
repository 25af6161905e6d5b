/*
 * The order in which a recorded run that hung would have ended well. Such a run shows its deadlock,
 * or the wake-up that a thread missed, at its end (predict/failure_hang.c).
 *
 * Deadlock:    a thread gets the lock or semaphore that it waited for before another thread of the
 *              cycle takes it.
 * Lost wakeup: the wait begins before the signal; or, if the signal woke another thread, the signal
 *              comes before the waiting thread tests its condition.
 *
 * A deadlock stays confirmed even if no good order is found. A lost wakeup is confirmed only by an
 * order that ends well: a thread may also wait for something that is never sent.
 */
#ifndef FR_CONFIRM_CAUSE_HANG_H
#define FR_CONFIRM_CAUSE_HANG_H

#include "confirm/prove.h"
#include "findings/finding.h"

/* Tries other orders for the findings of a run that hung, and stores the results in them. only: the
   number of one finding, 0: all. */
void fr_cause_hang(struct fr_prover *p, struct fr_findings *f, uint32_t only,
		   const struct fr_execution_how *how);

#endif
