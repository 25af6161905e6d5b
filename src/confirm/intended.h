/*
 * Interleavings that correct programs intend: the other output of such a re-execution is no harm.
 *
 * Which:    atomicity violations whose region is only a guess (fr_finding_is_guess), between
 *           accesses that a common lock or atomic operations protect, if no update is lost:
 *
 *           RMW-...-RMW   each operation of the thread uses the present value: tickets, references,
 *                         threads that are counted while they are inside
 *           RMW-RMW-W     with the same value written by both threads: a flag that is tested and set
 *           W-R-W         another thread sees a state in between: busy flags, slots, pools
 *           W-W-R         a thread sees that others have continued: counters, queues
 *           R-W-R         with atomic operations only: monitors, sequence locks
 *
 * Counts:   R-W-R under locks may be two looks that the program takes for one, or an optimistic
 *           update that starts again. It is intended if all serial controls print the same, and
 *           this re-execution differs from them only in numbers: the program counts what happened.
 *           An atomic set that is only accessed with atomic operations is intended if this
 *           re-execution differs from a serial control only in numbers.
 * Not here: R-W-W, which loses an update or acts on an old value; other atomic sets; another exit
 *           status.
 */
#ifndef FR_CONFIRM_INTENDED_H
#define FR_CONFIRM_INTENDED_H

#include "findings/finding.h"
#include "findings/schedule_file.h"

enum fr_intention { FR_NOT_INTENDED, FR_INTENDED, FR_INTENDED_COUNT, FR_INTENDED_NUMBERS };

struct fr_intended {
	FR_VEC(uint64_t) key; /* interleavings whose accesses are protected, by their events */
};
void fr_intended_free(struct fr_intended *x);
/* Adds the interleavings of a finding. */
void fr_intended_add(struct fr_intended *x, const struct fr_model *m, const struct fr_finding *f);
/* Is the interleaving of a schedule intended? FR_INTENDED_COUNT, FR_INTENDED_NUMBERS:
   under the conditions above. */
enum fr_intention fr_intended_is(const struct fr_intended *x, const struct fr_model *m,
				 const struct fr_schedule_file *of);

#endif
