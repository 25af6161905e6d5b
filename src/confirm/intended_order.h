/*
 * Interleavings that correct programs intend: the other output of such a re-execution is no harm.
 *
 * Rule:     a region that is only a guess (fr_finding_is_guess), between accesses that a common
 *           lock or atomic operations protect, does harm by output only if it may lose an update:
 *           the thread overwrites a value that it read before, without another read in between
 *           (R-W-W). A guessed set of locations never does, protected or not: an object that is
 *           passed on has fields that nobody protects. If its accesses race, the race is a finding.
 * Reason:   two reads of shared memory may differ in every correct program, another thread may see
 *           the state between two writes, and an update that rereads the value is not lost.
 *           Programs print such values: counts, ranks, retries, users of an object, numbers of
 *           started and finished jobs.
 * Not here: another exit status, a crash, a failed assertion, a hang: with these the program itself
 *           says that something is wrong.
 */
#ifndef FR_CONFIRM_INTENDED_ORDER_H
#define FR_CONFIRM_INTENDED_ORDER_H

#include "findings/finding.h"
#include "findings/schedule_file.h"

struct fr_intended {
	FR_VEC(uint64_t) key; /* of the intended interleavings, by their events */
};
void fr_intended_free(struct fr_intended *x);
/* Adds the interleavings of a finding that are intended. */
void fr_intended_add(struct fr_intended *x, const struct fr_model *m, const struct fr_finding *f);
/* Is the interleaving of a schedule intended? */
bool fr_intended_has(const struct fr_intended *x, const struct fr_schedule_file *of);

#endif
