/*
 * The events that every reordering with a candidate's targets pending must contain, as far as they
 * are found quickly.
 */
#ifndef FR_CAUSALITY_REQUIRED_H
#define FR_CAUSALITY_REQUIRED_H

#include "causality/causality.h"
#include "model/candidate.h"
#include "model/mask.h"

struct fr_required;
struct fr_required *fr_required_new(const struct fr_model *m, const struct fr_causality *c);
/* Must a pending target itself have happened? Then the candidate is infeasible. `back`: number of
   events before the first target that are also examined. */
bool fr_required_hits(struct fr_required *x, const struct fr_mask *mask,
		      const struct fr_candidate *what, uint32_t back);
void fr_required_free(struct fr_required *x);

#endif
