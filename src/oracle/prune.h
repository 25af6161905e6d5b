/*
 * Which part of the run the solver is asked about: everything before `cut` as recorded, nothing at
 * or after `end` (ExceptioNULL 7).
 */
#ifndef FR_ORACLE_PRUNE_H
#define FR_ORACLE_PRUNE_H

#include "causality/causality.h"
#include "oracle/oracle.h"

struct fr_range {
	fr_ev cut, end;
};

/* The segment to try at this level, 0 first, each larger than the one before; the whole run is the
   last. False: there is none, what would have to be searched (*ret) is too long. */
bool fr_prune_choose(const struct fr_model *m, const struct fr_causality *c,
		     const struct fr_candidate *what, unsigned level, struct fr_range *ret);
/* Does a solver of `have` do for `want`? */
bool fr_prune_serves(const struct fr_range *have, const struct fr_range *want);

#endif
