/*
 * Chooses the segment that the solver searches. Everything before `cut` stays as recorded, and
 * nothing at or after `end` takes part (ExceptioNULL 7).
 */
#ifndef FR_ORACLE_PRUNE_H
#define FR_ORACLE_PRUNE_H

#include "causality/causality.h"
#include "oracle/oracle.h"

struct fr_range {
	fr_ev cut, end;
};

/* Chooses the segment to try at this level. Level 0 is the first; each level gives a larger
   segment, and the last one is the whole run. False: no segment is left, or the segment in *ret is
   too long. */
bool fr_prune_choose(const struct fr_model *m, const struct fr_causality *c,
		     const struct fr_candidate *what, unsigned level, struct fr_range *ret);
/* The whole run as the only segment. False: it is too long. */
bool fr_prune_whole(const struct fr_model *m, struct fr_range *ret);
/* Can a solver opened for `have` also serve `want`? */
bool fr_prune_serves(const struct fr_range *have, const struct fr_range *want);

#endif
