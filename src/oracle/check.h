/*
 * The schedule checker replays a schedule on a model machine and rejects it if it is not feasible
 * (the rules are in model/model.h). It shares no code with the oracle's tiers.
 *
 * Cost: the machine runs forward along the recorded order once. For a cut behind its position it
 * starts again from the nearest saved state. So check in ascending order of cuts.
 */
#ifndef FR_ORACLE_CHECK_H
#define FR_ORACLE_CHECK_H

#include "oracle/oracle.h"

struct fr_checker;
struct fr_checker *fr_checker_new(const struct fr_model *m);
/* Returns 0, or -EINVAL with a message that names the step, its thread and the machine's state. */
int fr_checker_check(struct fr_checker *c, const struct fr_schedule *s,
		     const struct fr_candidate *what, struct fr_err *reterr);
/* Checks a schedule of the tier sliced: only the reads that matter under the mask must find their
   values, and unreliable writes from the cut on store unknown ones. NULL: as fr_checker_check. */
int fr_checker_check_sliced(struct fr_checker *c, const struct fr_mask *mask,
			    const struct fr_schedule *s, const struct fr_candidate *what,
			    struct fr_err *reterr);
/* Can the run end after a schedule that was accepted: first the pending targets in their order,
   then the other steps in the recorded order, each as early as it can happen? */
bool fr_checker_completes(struct fr_checker *c, const struct fr_mask *mask,
			  const struct fr_schedule *s, const struct fr_candidate *what);
/* Checks a schedule of the hybrid tier: reads may see any value. On success, *ret_differ is the
   number of steps that read another value than recorded. */
int fr_checker_check_blind(struct fr_checker *c, const struct fr_schedule *s,
			   const struct fr_candidate *what, uint32_t *ret_differ,
			   struct fr_err *reterr);
/* Checks a schedule of the relaxed tier: of all reads that matter under the mask, exactly these n
   find another value than recorded, or an unknown one. */
int fr_checker_check_relaxed(struct fr_checker *c, const struct fr_mask *mask,
			     const struct fr_schedule *s, const struct fr_candidate *what,
			     const fr_ev *read, uint32_t n, struct fr_err *reterr);
void fr_checker_free(struct fr_checker *c);

#endif
