/*
 * The cause of a failing recorded run, for findings whose events have one order: uses after free,
 * order violations, null dereferences, lost wakeups, patterns. (prove.c compares the two orders of
 * a race, and the serial orders of regions.)
 *
 * Two cases make the failure the harm of a finding. The program fails in the finding's order, as
 * the recorded run did, and ends well in an order without it. Or it ends well in the finding's
 * order of two accesses: then the recorded order of the two is the violation.
 */
#ifndef FR_CONFIRM_CAUSE_FAILURE_H
#define FR_CONFIRM_CAUSE_FAILURE_H

#include "confirm/prove.h"
#include "findings/finding.h"

/* Looks for the other order of an interleaving with this proof. If the finding is the cause, *proof
   says so. True: the violation is the recorded order; then proof->path leads to it, and the events
   of the interleaving must be reversed. */
bool fr_cause_find(struct fr_prover *p, const struct fr_schedule_file *s,
		   const struct fr_interleaving *w, const struct fr_execution_how *how,
		   struct fr_proof *proof);
/* Puts the two accesses of an interleaving into the recorded order. */
void fr_cause_reverse(struct fr_interleaving *w);

#endif
