/*
 * The schedule checker: replays a schedule against the trace on a model machine and rejects what is
 * not feasible (rules: model/model.h). It shares no code with the tiers of the oracle.
 *
 * Cost: the machine runs forward along the recorded order once; a check at a cut behind its place
 * starts it again from the nearest kept state. So: ask in ascending order of cuts where possible.
 */
#ifndef FR_ORACLE_CHECK_H
#define FR_ORACLE_CHECK_H

#include "oracle/oracle.h"

struct fr_checker;
struct fr_checker *fr_checker_new(const struct fr_model *m);
/* 0, or -EINVAL with the reason: which step, of which thread, what it found. */
int fr_checker_check(struct fr_checker *c, const struct fr_schedule *s,
		     const struct fr_candidate *what, struct fr_err *reterr);
/* The same with reads that may find anything: the hybrid tier's schedules. ret_differ: how many of
   the schedule's steps read something else than in the run. */
int fr_checker_check_blind(struct fr_checker *c, const struct fr_schedule *s,
			   const struct fr_candidate *what, uint32_t *ret_differ,
			   struct fr_err *reterr);
void fr_checker_free(struct fr_checker *c);

#endif
